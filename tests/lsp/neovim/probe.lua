-- SPDX-License-Identifier: Apache-2.0
-- Runs inside Neovim (0.7 or later) in the folder of broken.hlo; leaves with status 1 if anything surprises.
local failures = 0

local function check(what, good, seen)
  io.stdout:write(string.format("%s %s%s\n", good and "ok:" or "FAILED:", what, good and "" or ": " .. vim.inspect(seen)))
  if not good then failures = failures + 1 end
end

local function main()
  vim.g.hloscope_lsp = { os.getenv("HLOSCOPE_LSP") }
  vim.cmd("luafile " .. os.getenv("HLOSCOPE_EDITORS") .. "/hloscope.lua")
  vim.cmd("edit notes.txt")
  check("a text is not a module", vim.bo.filetype ~= "hlo", vim.bo.filetype)
  vim.cmd("edit dump.txt")
  check("a dump is known by its first line", vim.bo.filetype == "hlo", vim.bo.filetype)
  vim.cmd("bwipeout! | edit broken.hlo")
  check("a module is known by its name", vim.bo.filetype == "hlo", vim.bo.filetype)
  local buffer = vim.api.nvim_get_current_buf()
  vim.wait(10000, function() return #vim.lsp.get_active_clients() > 0 end, 20)
  local clients = vim.lsp.get_active_clients()
  check("one server", #clients == 1 and clients[1].name == "hloscope", #clients)
  local client_id = clients[1].id
  check("the server has the buffer", vim.lsp.buf_is_attached(buffer, client_id), vim.lsp.buf_get_clients(buffer))

  local function ask(method, line, column)
    vim.api.nvim_win_set_cursor(0, { line, column })
    local answers = vim.lsp.buf_request_sync(buffer, method, vim.lsp.util.make_position_params(), 5000)
    return answers and answers[client_id] and answers[client_id].result
  end

  vim.wait(10000, function() return #vim.diagnostic.get(buffer) > 0 end, 20)
  local found = vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR })
  check("one error", #found == 1, found)
  local hints = vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.HINT })
  check("nothing is called unused that the broken instruction may have used", #hints == 0, hints)
  if #found == 1 then
    check("its place", found[1].lnum == 6 and found[1].col == 33 and found[1].end_col == 38, found[1])
    check("its code", found[1].code == "unknown-instruction", found[1])
  end

  -- Byte columns: `twice` is after a comment with a character of four bytes.
  local hover = ask("textDocument/hover", 6, 13)
  check("hover", hover and hover.contents.value:find("twice = f32[8,16]{1,0} add(x, x)", 1, true) ~= nil, hover)
  check("hover knows the size", hover and hover.contents.value:find("128 elements, 512 bytes", 1, true) ~= nil, hover)

  -- Repair the name as a user would; the diagnostic goes away.
  vim.api.nvim_buf_set_text(buffer, 6, 33, 6, 38, { "twice" })
  check("diagnostic goes after the repair", vim.wait(5000, function() return #vim.diagnostic.get(buffer) == 0 end, 20),
    vim.diagnostic.get(buffer))

  -- Jump with the editor's own command from the use to the definition.
  vim.api.nvim_win_set_cursor(0, { 7, 34 })
  vim.lsp.buf.definition()
  vim.wait(5000, function() return vim.api.nvim_win_get_cursor(0)[1] == 6 end, 20)
  local cursor = vim.api.nvim_win_get_cursor(0)
  check("definition", cursor[1] == 6 and cursor[2] == 13, cursor)

  local symbols = ask("textDocument/documentSymbol", 1, 0)
  check("symbols", symbols and #symbols == 1 and symbols[1].name == "main" and #symbols[1].children == 3, symbols)

  -- Break it again with an edit of several lines.
  vim.api.nvim_buf_set_lines(buffer, 4, 6, false, { "  x = f32[8] parameter(0)", "  // é", "  twice = f32[8] add(x, y)" })
  check("diagnostic after an edit", vim.wait(5000, function() return #vim.diagnostic.get(buffer) > 0 end, 20),
    vim.diagnostic.get(buffer))

  vim.lsp.stop_client(client_id)
  check("server stops", vim.wait(5000, function() return vim.lsp.client_is_stopped(client_id) end, 20))
end

local ok, message = pcall(main)
if not ok then check("script", false, message) end
vim.cmd(failures == 0 and "qall!" or "cquit 1")
