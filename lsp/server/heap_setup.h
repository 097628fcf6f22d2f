// The heap of a process whose first large text should be there soon.
#ifndef HLOSCOPE_LSP_SERVER_HEAP_SETUP_H_
#define HLOSCOPE_LSP_SERVER_HEAP_SETUP_H_

namespace hloscope::lsp {

// Makes all threads share one heap, and asks for huge pages for its beginning: reading a module of 4 MB touches 40 MB
// of fresh memory, and of page faults alone that costs as much as its lexing. Call before threads start. Does nothing
// where malloc is not glibc's.
void SetUpHeap();

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_HEAP_SETUP_H_
