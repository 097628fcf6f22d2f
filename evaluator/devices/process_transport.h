// SPDX-License-Identifier: Apache-2.0
/* How the processes of a run send each other bytes: what a plug-in for a message-passing library offers. In C, so that
   it can be loaded whatever it was compiled with. One thread at a time uses it, but for take_pause. */
#ifndef HLOSCOPE_EVALUATOR_DEVICES_PROCESS_TRANSPORT_H_
#define HLOSCOPE_EVALUATOR_DEVICES_PROCESS_TRANSPORT_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HLOSCOPE_TRANSPORT_VERSION 2

enum { HLOSCOPE_TAG_CONTROL = 1, HLOSCOPE_TAG_DATA = 2, HLOSCOPE_TAG_PAUSE = 3 };

struct HloscopeTransport {
  int version;
  int rank, size;
  /* Begins to send; the bytes stay where they are until is_sent(result) is not 0, which is to be asked until then.
     Messages of one sender with one tag arrive in their order. */
  int64_t (*send)(int to, int tag, const void* data, size_t bytes);
  int (*is_sent)(int64_t request);
  /* Not 0 if a control message can be received; from whom and how long it is. */
  int (*probe)(int* from, size_t* bytes);
  /* Waits for a message of exactly this length. */
  void (*receive)(int from, int tag, void* data, size_t bytes);
  /* Not 0 if a message with HLOSCOPE_TAG_PAUSE was there, which is one number; takes it. Another thread may call it
     while one uses the rest. */
  int (*take_pause)(const struct HloscopeTransport* self, int64_t* number);
  /* The last call; all processes make it. */
  void (*close)(void);
};

/* Name and type of the function that a plug-in has. Null if the processes cannot be reached; `message` says why. */
#define HLOSCOPE_OPEN_TRANSPORT "hloscope_open_transport"
typedef const struct HloscopeTransport* (*HloscopeOpenTransport)(const char** message);

#ifdef __cplusplus
}
#endif

#endif
