// Memory for large texts, in large pages.
#ifndef HLOSCOPE_CORE_SOURCE_HEAP_ROOM_H_
#define HLOSCOPE_CORE_SOURCE_HEAP_ROOM_H_

#include <cstddef>

namespace hloscope {

// Make one before parsing a text of so many bytes and keep it until that is done. The heap grows once, by what is made
// of the text, and the system is asked for pages of 2 MB: with those of 4 KB a third of the time that a first reading
// takes goes into page faults. Nothing is used yet, so nothing is lost if less is needed. Small texts do not need it,
// and where there are no such pages nothing happens.
class HeapRoom {
 public:
  explicit HeapRoom(size_t text_bytes);
  ~HeapRoom();
  HeapRoom(const HeapRoom&) = delete;
  HeapRoom& operator=(const HeapRoom&) = delete;

 private:
  void* end_ = nullptr;  // keeps what is free in front of it from being given back
};
// The same before the text itself is read into memory; the room stays while there is no more than the C library keeps.
void MakeHeapRoomForText(size_t text_bytes);
// Asks for such pages in a block that is just allocated, if it is a large one.
void AskForLargePages(void* block, size_t bytes);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SOURCE_HEAP_ROOM_H_
