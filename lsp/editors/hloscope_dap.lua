-- SPDX-License-Identifier: Apache-2.0
-- HLOscope's debugger in nvim-dap. Put this file into ~/.config/nvim/lua and write require("hloscope_dap") into init.lua.
-- The adapter is `hloscope-dap` of the PATH; vim.g.hloscope_dap = "/path/of/hloscope-dap" names another one.

local dap = require("dap")

dap.adapters.hlo = function(callback)
  callback({ type = "executable", command = vim.g.hloscope_dap or "hloscope-dap" })
end

dap.configurations.hlo = {
  { type = "hlo", request = "launch", name = "Debug HLO module", program = "${file}", fill = "random", stopOnEntry = true },
  {
    type = "hlo",
    request = "attach",
    name = "Attach to an HLO run",
    port = function() return tonumber(vim.fn.input("Port of hloscope run --listen: ")) end,
  },
}
