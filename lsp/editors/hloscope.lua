-- SPDX-License-Identifier: Apache-2.0
-- HLOscope in Neovim 0.7 or later. Put this file into ~/.config/nvim/plugin, or run it with :luafile.
-- The language server is `hloscope-lsp` of the PATH; vim.g.hloscope_lsp = { "/path/of/hloscope-lsp" } names another one,
-- vim.g.hloscope_settings = { layoutSensitive = true } its settings.

local group = vim.api.nvim_create_augroup("hloscope", {})

-- Dumps are text files that start with HloModule.
vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  group = group,
  pattern = { "*.hlo", "*.hlo.txt", "*.txt" },
  callback = function(event)
    local is_text = event.file:match("%.txt$") and not event.file:match("%.hlo%.txt$")
    local first = vim.api.nvim_buf_get_lines(event.buf, 0, 1, false)[1] or ""
    if not is_text or first:match("^%s*HloModule%f[^%w_]") then vim.bo[event.buf].filetype = "hlo" end
  end,
})

local client_id -- of the one server that all modules share

local function attach(buffer)
  vim.bo[buffer].commentstring = "// %s"
  local command = vim.g.hloscope_lsp or { "hloscope-lsp" }
  if vim.fn.executable(command[1]) == 0 then
    vim.notify_once("HLOscope: " .. command[1] .. " is not on the PATH; set vim.g.hloscope_lsp", vim.log.levels.WARN)
    return
  end
  if client_id == nil then
    client_id = vim.lsp.start_client({
      name = "hloscope",
      cmd = command,
      root_dir = vim.fn.getcwd(),
      init_options = vim.g.hloscope_settings or vim.empty_dict(),
      -- client_is_stopped() also says so of a client that is starting.
      on_exit = function() client_id = nil end,
    })
  end
  if client_id ~= nil then vim.lsp.buf_attach_client(buffer, client_id) end
end

vim.api.nvim_create_autocmd("FileType", {
  group = group,
  pattern = "hlo",
  callback = function(event) attach(event.buf) end,
})
