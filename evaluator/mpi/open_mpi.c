// SPDX-License-Identifier: Apache-2.0
/* The processes that mpirun started, through MPI. A shared object of its own, so that only a run under mpirun loads
 * MPI. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

#include "evaluator/devices/process_transport.h"

/* Counts of MPI are ints: longer messages are sent in pieces. */
static const size_t kPiece = (size_t)1 << 30;

/* Held by who is in MPI, which is asked for one thread at a time. */
static pthread_mutex_t in_mpi = PTHREAD_MUTEX_INITIALIZER;

/* The pieces that are under way, by number of the request. */
struct Pending {
  MPI_Request* pieces;
  int count;
};
static struct Pending* pending = NULL;
static int64_t pending_size = 0, first_free = 0;

static int PieceCount(size_t bytes) { return bytes == 0 ? 1 : (int)((bytes + kPiece - 1) / kPiece); }

static int PieceBytes(size_t bytes, int i) {
  const size_t rest = bytes - (size_t)i * kPiece;
  return (int)(rest < kPiece ? rest : kPiece);
}

static int64_t FreeNumber(void) {
  while (first_free < pending_size && pending[first_free].pieces != NULL) ++first_free;
  if (first_free < pending_size) return first_free;
  const int64_t size = pending_size == 0 ? 64 : 2 * pending_size;
  struct Pending* const larger = realloc(pending, (size_t)size * sizeof(struct Pending));
  if (larger == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
  pending = larger;
  for (int64_t i = pending_size; i < size; ++i) pending[i].pieces = NULL;
  pending_size = size;
  return first_free;
}

static int64_t Send(int to, int tag, const void* data, size_t bytes) {
  const int64_t number = FreeNumber();
  const int count = PieceCount(bytes);
  MPI_Request* const pieces = malloc((size_t)count * sizeof(MPI_Request));
  if (pieces == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
  pthread_mutex_lock(&in_mpi);
  for (int i = 0; i < count; ++i) {
    MPI_Isend((const char*)data + (size_t)i * kPiece, PieceBytes(bytes, i), MPI_BYTE, to, tag, MPI_COMM_WORLD,
              &pieces[i]);
  }
  pthread_mutex_unlock(&in_mpi);
  pending[number].pieces = pieces;
  pending[number].count = count;
  return number;
}

static int IsSent(int64_t number) {
  int done = 0;
  pthread_mutex_lock(&in_mpi);
  MPI_Testall(pending[number].count, pending[number].pieces, &done, MPI_STATUSES_IGNORE);
  pthread_mutex_unlock(&in_mpi);
  if (!done) return 0;
  free(pending[number].pieces);
  pending[number].pieces = NULL;
  if (number < first_free) first_free = number;
  return 1;
}

/* Not 0 if a message with this tag is there. */
static int FindMessage(int tag, MPI_Status* status, int* bytes) {
  int found = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &found, status);
  if (found) MPI_Get_count(status, MPI_BYTE, bytes);
  return found;
}

static int Probe(int* from, size_t* bytes) {
  MPI_Status status;
  int count = 0;
  pthread_mutex_lock(&in_mpi);
  const int found = FindMessage(HLOSCOPE_TAG_CONTROL, &status, &count);
  pthread_mutex_unlock(&in_mpi);
  if (!found) return 0;
  *from = status.MPI_SOURCE;
  *bytes = (size_t)count;
  return 1;
}

static void Receive(int from, int tag, void* data, size_t bytes) {
  const int count = PieceCount(bytes);
  for (int i = 0; i < count; ++i) {
    pthread_mutex_lock(&in_mpi);
    MPI_Recv((char*)data + (size_t)i * kPiece, PieceBytes(bytes, i), MPI_BYTE, from, tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&in_mpi);
  }
}

static int TakePause(const struct HloscopeTransport* self, int64_t* number) {
  (void)self;
  MPI_Status status;
  int count = 0;
  pthread_mutex_lock(&in_mpi);
  const int found = FindMessage(HLOSCOPE_TAG_PAUSE, &status, &count);
  if (found) {
    MPI_Recv(number, (int)sizeof(*number), MPI_BYTE, status.MPI_SOURCE, HLOSCOPE_TAG_PAUSE, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
  pthread_mutex_unlock(&in_mpi);
  return found;
}

static void Close(void) { MPI_Finalize(); }

/* Found by name. */
const struct HloscopeTransport* hloscope_open_transport(const char** message);

const struct HloscopeTransport* hloscope_open_transport(const char** message) {
  static struct HloscopeTransport transport = {
      HLOSCOPE_TRANSPORT_VERSION, 0, 0, Send, IsSent, Probe, Receive, TakePause, Close};
  int provided = 0;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS) {
    *message = "MPI cannot be initialised";
    return NULL;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &transport.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &transport.size);
  return &transport;
}
