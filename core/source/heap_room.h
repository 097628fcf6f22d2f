// Memory for large texts, in large pages.
#ifndef HLOSCOPE_CORE_SOURCE_HEAP_ROOM_H_
#define HLOSCOPE_CORE_SOURCE_HEAP_ROOM_H_

#include <cstddef>

namespace hloscope {

// Call it before parsing a text of so many bytes. The heap grows once, by what is made of the text, and the system is
// asked for pages of 2 MB: with those of 4 KB a third of the time that a first reading takes goes into ten thousand
// page faults. Nothing is used yet, so nothing is lost if less is needed. Small texts do not need it, and where there
// are no such pages nothing happens.
void MakeHeapRoom(size_t text_bytes);
// The same before the text itself is read into memory.
void MakeHeapRoomForText(size_t text_bytes);
// Asks for such pages in a block that is just allocated, if it is a large one.
void AskForLargePages(void* block, size_t bytes);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SOURCE_HEAP_ROOM_H_
