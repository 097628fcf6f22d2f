// Programs whose last results are what NumPy gives for the first ones, each after a line with its name.
// ---- bin_add_generic
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %r = "stablehlo.add"(%a0, %a1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x815ADA3F081043BE40C6573D34CE15C02DAECBBF21A5073F"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- bin_subtract_generic
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %r = "stablehlo.subtract"(%a0, %a1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x0D89EF3F1D21883FE7AE0F3E7371B1BF43AB843F0CA49EBF"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- bin_multiply_generic
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %r = "stablehlo.multiply"(%a0, %a1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xAE8B17BE5B218CBEE88D8ABBAAA8633F4499BA3E07AEA0BE"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- bin_divide_generic
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %r = "stablehlo.divide"(%a0, %a1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xC2EFACC1533932BF41F10CC005EA7940DC30583EA353CDBE"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- bin_maximum_generic
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %r = "stablehlo.maximum"(%a0, %a1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEC55F4BED4058EBE9D76623F"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- bin_minimum_generic
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %r = "stablehlo.minimum"(%a0, %a1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEE86EEBFB82CA8BFF8A2B5BE"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- bin_atan2_generic
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %r = "stablehlo.atan2"(%a0, %a1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x9DFACE3FB92322401C9FFF3FCD26E9BFDDBE3BC0EE45C3BE"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- bin_power_generic
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EE3FD4058E3EF8A2B53E"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %r = "stablehlo.power"(%a0, %a1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xB5F9733FD53ED73F57CF8D3FEA353E3FE886AC40C8B4CC3E"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- bin_mhlo
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %r = mhlo.add %a0, %a1 : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x815ADA3F081043BE40C6573D34CE15C02DAECBBF21A5073F"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- bin_fun_form
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %r = stablehlo.add %a0, %a1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x815ADA3F081043BE40C6573D34CE15C02DAECBBF21A5073F"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- attr_dict
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %r = stablehlo.add %a0, %a1 {mhlo.frontend_attributes = {a = "b"}, foo.bar = [1, 2, {x}]} : tensor<2x3xf32> loc("a.py":3:4)
  %expected_0 = stablehlo.constant dense<"0x815ADA3F081043BE40C6573D34CE15C02DAECBBF21A5073F"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- un_abs
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.abs %a0 : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EE3FD4058E3EF8A2B53E"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- un_negate
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.negate %a0 : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xC7F1E4BF387EDFBE77A0C5BDEE86EE3FD4058E3EF8A2B53E"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- un_exponential
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.exponential %a0 : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x5866BF40D90DC63F9FF78C3F5CDA1E3E93FC413F2F8B333F"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- un_exponential_minus_one
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.exponential_minus_one %a0 : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x58669F40B01B0C3FF079CF3D694958BFB10D78BEA4E998BE"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- un_tanh
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.tanh %a0 : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xDD13723F784DD23E0304C53DD7F773BF277D8ABEB861AEBE"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- un_logistic
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.logistic %a0 : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x8F545B3F57801B3FCA2B063F0485093E62B8DC3EA90FD33E"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- un_cosine
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.cosine %a0 : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xDB4C5DBEDEFE673F1CCF7E3FDBBA93BED136763F170F703F"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- un_sine
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.sine %a0 : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x45F3793F8276D83EFC51C53DB61C75BF5D358CBEBED9B1BE"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- un_ceil
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.ceil %a0 : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x000000400000803F0000803F000080BF0000008000000080"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- un_floor
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.floor %a0 : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x0000803F0000000000000000000000C0000080BF000080BF"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- un_sign
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.sign %a0 : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x0000803F0000803F0000803F000080BF000080BF000080BF"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- un_cbrt
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.cbrt %a0 : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x34609B3FE931423F7CD7EA3E97839DBFCBF426BF913935BF"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- un_round_nearest_even
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.round_nearest_even %a0 : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x000000400000000000000000000000C00000008000000080"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- un_tan
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.tan %a0 : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x399290C036DCEE3E163EC63D5F605440F6C791BE22A9BDBE"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- un_acc
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.exponential %a0 {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x5866BF40D90DC63F9FF78C3F5CDA1E3E93FC413F2F8B333F"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- round_afz
func.func @main() -> (tensor<4xf32>, tensor<4xf32>) {
  %a0 = stablehlo.constant dense<"0x0000003F000000BF0000C03F000020C0"> : tensor<4xf32>
  %r = stablehlo.round_nearest_afz %a0 : tensor<4xf32>
  %expected_0 = stablehlo.constant dense<"0x0000803F000080BF00000040000040C0"> : tensor<4xf32>
  return %r, %expected_0 : tensor<4xf32>, tensor<4xf32>
}
// ---- not_int
func.func @main() -> (tensor<2x3xi32>, tensor<2x3xi32>) {
  %a0 = stablehlo.constant dense<"0xF7FFFFFFF7FFFFFF00000000FCFFFFFFFEFFFFFFFCFFFFFF"> : tensor<2x3xi32>
  %r = stablehlo.not %a0 : tensor<2x3xi32>
  %expected_0 = stablehlo.constant dense<"0x0800000008000000FFFFFFFF030000000100000003000000"> : tensor<2x3xi32>
  return %r, %expected_0 : tensor<2x3xi32>, tensor<2x3xi32>
}
// ---- popcnt_clz
func.func @main() -> (tensor<2x3xi32>, tensor<2x3xi32>) {
  %a0 = stablehlo.constant dense<"0x060000000700000002000000020000000200000006000000"> : tensor<2x3xi32>
  %x = stablehlo.popcnt %a0 : tensor<2x3xi32>
  %y = stablehlo.count_leading_zeros %a0 : tensor<2x3xi32>
  %r = stablehlo.add %x, %y : tensor<2x3xi32>
  %expected_0 = stablehlo.constant dense<"0x1F000000200000001F0000001F0000001F0000001F000000"> : tensor<2x3xi32>
  return %r, %expected_0 : tensor<2x3xi32>, tensor<2x3xi32>
}
// ---- shifts
func.func @main() -> (tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>) {
  %a0 = stablehlo.constant dense<"0xF7FFFFFFF7FFFFFF00000000FCFFFFFFFEFFFFFFFCFFFFFF"> : tensor<2x3xi32>
  %a1 = stablehlo.constant dense<"0x060000000700000002000000020000000200000006000000"> : tensor<2x3xi32>
  %x = stablehlo.shift_left %a0, %a1 : tensor<2x3xi32>
  %y = stablehlo.shift_right_arithmetic %a0, %a1 : tensor<2x3xi32>
  %z = stablehlo.shift_right_logical %a0, %a1 : tensor<2x3xi32>
  %expected_0 = stablehlo.constant dense<"0xC0FDFFFF80FBFFFF00000000F0FFFFFFF8FFFFFF00FFFFFF"> : tensor<2x3xi32>
  %expected_1 = stablehlo.constant dense<"0xFFFFFFFFFFFFFFFF00000000FFFFFFFFFFFFFFFFFFFFFFFF"> : tensor<2x3xi32>
  %expected_2 = stablehlo.constant dense<"0xFFFFFF03FFFFFF0100000000FFFFFF3FFFFFFF3FFFFFFF03"> : tensor<2x3xi32>
  return %x, %y, %z, %expected_0, %expected_1, %expected_2 : tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>
}
// ---- remainder
func.func @main() -> (tensor<2x3xi32>, tensor<2x3xi32>) {
  %a0 = stablehlo.constant dense<"0xF7FFFFFFF7FFFFFF00000000FCFFFFFFFEFFFFFFFCFFFFFF"> : tensor<2x3xi32>
  %a1 = stablehlo.constant dense<"0x060000000700000002000000020000000200000006000000"> : tensor<2x3xi32>
  %r = stablehlo.remainder %a0, %a1 : tensor<2x3xi32>
  %expected_0 = stablehlo.constant dense<"0xFDFFFFFFFEFFFFFF000000000000000000000000FCFFFFFF"> : tensor<2x3xi32>
  return %r, %expected_0 : tensor<2x3xi32>, tensor<2x3xi32>
}
// ---- compare_old
func.func @main() -> (tensor<2x3xi1>, tensor<2x3xi1>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %r = "stablehlo.compare"(%a0, %a1) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %expected_0 = stablehlo.constant dense<[[false, false, false], [true, false, true]]> : tensor<2x3xi1>
  return %r, %expected_0 : tensor<2x3xi1>, tensor<2x3xi1>
}
// ---- compare_older
func.func @main() -> (tensor<2x3xi1>, tensor<2x3xi1>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %r = "mhlo.compare"(%a0, %a1) {comparison_direction = #mhlo<comparison_direction GE>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %expected_0 = stablehlo.constant dense<[[true, true, true], [false, true, false]]> : tensor<2x3xi1>
  return %r, %expected_0 : tensor<2x3xi1>, tensor<2x3xi1>
}
// ---- compare_oldest
func.func @main() -> (tensor<2x3xi1>, tensor<2x3xi1>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %r = "stablehlo.compare"(%a0, %a1) {comparison_direction = #stablehlo.comparison_direction<NE>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %expected_0 = stablehlo.constant dense<[[true, true, true], [true, true, true]]> : tensor<2x3xi1>
  return %r, %expected_0 : tensor<2x3xi1>, tensor<2x3xi1>
}
// ---- compare_total
func.func @main() -> (tensor<4xi1>, tensor<4xi1>) {
  %a0 = stablehlo.constant dense<"0x000000800000803F0000C07F0000C0FF"> : tensor<4xf32>
  %a1 = stablehlo.constant dense<"0x000000000000803F0000803F0000803F"> : tensor<4xf32>
  %r = stablehlo.compare LT, %a0, %a1, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %expected_0 = stablehlo.constant dense<[true, false, false, true]> : tensor<4xi1>
  return %r, %expected_0 : tensor<4xi1>, tensor<4xi1>
}
// ---- select_scalar
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %p = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.select %p, %a0, %a1 : tensor<i1>, tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- select_fun
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %p = stablehlo.compare GT, %a0, %a1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %r = stablehlo.select %p, %a0, %a1 : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEC55F4BED4058EBE9D76623F"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- clamp_scalar
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %l = stablehlo.constant dense<-0.5> : tensor<f32>
  %h = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = stablehlo.clamp %l, %a0, %h : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x0000003F387EDF3E77A0C53D000000BFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- reduce_precision
func.func @main() -> (tensor<4xf32>, tensor<4xf32>) {
  %a0 = stablehlo.constant dense<"0x0080803F0000803F00000040DA0F4940"> : tensor<4xf32>
  %r = stablehlo.reduce_precision %a0, format = e8m7 : tensor<4xf32>
  %expected_0 = stablehlo.constant dense<"0x0000803F0000803F0000004000004940"> : tensor<4xf32>
  return %r, %expected_0 : tensor<4xf32>, tensor<4xf32>
}
// ---- complex
func.func @main() -> (tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) {
  %a0 = stablehlo.constant dense<"0x9DC34DBF82DE8F3F42D21AC0861407BEA27D6CBFD1C7CFBF5C0E83BF868C253F"> : tensor<2x2xcomplex<f32>>
  %x = stablehlo.real %a0 : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xf32>
  %y = stablehlo.imag %a0 : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xf32>
  %r = stablehlo.complex %y, %x : tensor<2x2xcomplex<f32>>
  %expected_0 = stablehlo.constant dense<"0x82DE8F3F9DC34DBF861407BE42D21AC0D1C7CFBFA27D6CBF868C253F5C0E83BF"> : tensor<2x2xcomplex<f32>>
  return %r, %expected_0 : tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>
}
// ---- complex_const
func.func @main() -> (tensor<2xf32>, tensor<2xf32>) {
  %c = stablehlo.constant dense<[(1.0,2.0), (0x7F800000,-3.5)]> : tensor<2xcomplex<f32>>
  %r = stablehlo.imag %c : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %expected_0 = stablehlo.constant dense<"0x00000040000060C0"> : tensor<2xf32>
  return %r, %expected_0 : tensor<2xf32>, tensor<2xf32>
}
// ---- bitcast_widen
func.func @main() -> (tensor<4x4xui8>, tensor<4x4xui8>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %r = stablehlo.bitcast_convert %a0 : (tensor<4xf32>) -> tensor<4x4xui8>
  %expected_0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4x4xui8>
  return %r, %expected_0 : tensor<4x4xui8>, tensor<4x4xui8>
}
// ---- convert
func.func @main() -> (tensor<2x3xi32>, tensor<2x3xi32>) {
  %a0 = stablehlo.constant dense<"0x55B5AB40AA9EA73F5938943E32E5B2C0BE0855BF3A3A88BF"> : tensor<2x3xf32>
  %r = stablehlo.convert %a0 : (tensor<2x3xf32>) -> tensor<2x3xi32>
  %expected_0 = stablehlo.constant dense<"0x050000000100000000000000FBFFFFFF00000000FFFFFFFF"> : tensor<2x3xi32>
  return %r, %expected_0 : tensor<2x3xi32>, tensor<2x3xi32>
}
// ---- iota_custom
func.func @main() -> (tensor<2x3xi32>, tensor<2x3xi32>) {
  %r = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %expected_0 = stablehlo.constant dense<"0x000000000100000002000000000000000100000002000000"> : tensor<2x3xi32>
  return %r, %expected_0 : tensor<2x3xi32>, tensor<2x3xi32>
}
// ---- iota_generic
func.func @main() -> (tensor<2x3xi32>, tensor<2x3xi32>) {
  %r = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2x3xi32>
  %expected_0 = stablehlo.constant dense<"0x000000000000000000000000010000000100000001000000"> : tensor<2x3xi32>
  return %r, %expected_0 : tensor<2x3xi32>, tensor<2x3xi32>
}
// ---- bid_old
func.func @main() -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %r = "stablehlo.broadcast_in_dim"(%a0) {broadcast_dimensions = dense<[1]> : tensor<1xi64>} : (tensor<4xf32>) -> tensor<3x4xf32>
  %expected_0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE0F9E613F4AD3DA3F14F04C3DE131CFBE0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<3x4xf32>
  return %r, %expected_0 : tensor<3x4xf32>, tensor<3x4xf32>
}
// ---- bid_expand
func.func @main() -> (tensor<5x2x3xf32>, tensor<5x2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53D"> : tensor<1x3xf32>
  %r = stablehlo.broadcast_in_dim %a0, dims = [0, 2] : (tensor<1x3xf32>) -> tensor<5x2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DC7F1E43F387EDF3E77A0C53DC7F1E43F387EDF3E77A0C53DC7F1E43F387EDF3E77A0C53DC7F1E43F387EDF3E77A0C53DC7F1E43F387EDF3E77A0C53DC7F1E43F387EDF3E77A0C53DC7F1E43F387EDF3E77A0C53DC7F1E43F387EDF3E77A0C53DC7F1E43F387EDF3E77A0C53D"> : tensor<5x2x3xf32>
  return %r, %expected_0 : tensor<5x2x3xf32>, tensor<5x2x3xf32>
}
// ---- bid_perm
func.func @main() -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.broadcast_in_dim %a0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %expected_0 = stablehlo.constant dense<"0xC7F1E43FEE86EEBF387EDF3ED4058EBE77A0C53DF8A2B5BE"> : tensor<3x2xf32>
  return %r, %expected_0 : tensor<3x2xf32>, tensor<3x2xf32>
}
// ---- broadcast
func.func @main() -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %r = stablehlo.broadcast %a0, sizes = [2, 3] : (tensor<4xf32>) -> tensor<2x3x4xf32>
  %expected_0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE0F9E613F4AD3DA3F14F04C3DE131CFBE0F9E613F4AD3DA3F14F04C3DE131CFBE0F9E613F4AD3DA3F14F04C3DE131CFBE0F9E613F4AD3DA3F14F04C3DE131CFBE0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<2x3x4xf32>
  return %r, %expected_0 : tensor<2x3x4xf32>, tensor<2x3x4xf32>
}
// ---- broadcast_gen
func.func @main() -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %r = "stablehlo.broadcast"(%a0) {broadcast_sizes = dense<2> : tensor<1xi64>} : (tensor<4xf32>) -> tensor<2x4xf32>
  %expected_0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<2x4xf32>
  return %r, %expected_0 : tensor<2x4xf32>, tensor<2x4xf32>
}
// ---- transpose_gen
func.func @main() -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = "stablehlo.transpose"(%a0) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %expected_0 = stablehlo.constant dense<"0xC7F1E43FEE86EEBF387EDF3ED4058EBE77A0C53DF8A2B5BE"> : tensor<3x2xf32>
  return %r, %expected_0 : tensor<3x2xf32>, tensor<3x2xf32>
}
// ---- reverse
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.reverse %a0, dims = [0, 1] : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xF8A2B5BED4058EBEEE86EEBF77A0C53D387EDF3EC7F1E43F"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- concat3
func.func @main() -> (tensor<6x3xf32>, tensor<6x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %r = stablehlo.concatenate %a0, %a1, %a0, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<6x3xf32>
  %expected_0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623FC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<6x3xf32>
  return %r, %expected_0 : tensor<6x3xf32>, tensor<6x3xf32>
}
// ---- slice
func.func @main() -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.slice %a0 [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  %expected_0 = stablehlo.constant dense<"0xC7F1E43F77A0C53DEE86EEBFF8A2B5BE"> : tensor<2x2xf32>
  return %r, %expected_0 : tensor<2x2xf32>, tensor<2x2xf32>
}
// ---- slice_gen
func.func @main() -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = "stablehlo.slice"(%a0) {start_indices = dense<[0, 1]> : tensor<2xi64>, limit_indices = dense<[2, 3]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} : (tensor<2x3xf32>) -> tensor<2x2xf32>
  %expected_0 = stablehlo.constant dense<"0x387EDF3E77A0C53DD4058EBEF8A2B5BE"> : tensor<2x2xf32>
  return %r, %expected_0 : tensor<2x2xf32>, tensor<2x2xf32>
}
// ---- slice_r0
func.func @main() -> (tensor<f32>, tensor<f32>) {
  %a0 = stablehlo.constant dense<"0x00000040"> : tensor<f32>
  %r = stablehlo.slice %a0 [] : (tensor<f32>) -> tensor<f32>
  %expected_0 = stablehlo.constant dense<"0x00000040"> : tensor<f32>
  return %r, %expected_0 : tensor<f32>, tensor<f32>
}
// ---- dslice
func.func @main() -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %i = stablehlo.constant dense<1> : tensor<i64>
  %j = stablehlo.constant dense<5> : tensor<i64>
  %r = stablehlo.dynamic_slice %a0, %i, %j, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i64>, tensor<i64>) -> tensor<1x2xf32>
  %expected_0 = stablehlo.constant dense<"0xD4058EBEF8A2B5BE"> : tensor<1x2xf32>
  return %r, %expected_0 : tensor<1x2xf32>, tensor<1x2xf32>
}
// ---- dus
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %i = stablehlo.constant dense<1> : tensor<i32>
  %u = stablehlo.constant dense<7.0> : tensor<1x2xf32>
  %r = stablehlo.dynamic_update_slice %a0, %u, %i, %i : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBF0000E0400000E040"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- pad_neg
func.func @main() -> (tensor<3x6xf32>, tensor<3x6xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %z = stablehlo.constant dense<9.0> : tensor<f32>
  %r = stablehlo.pad %a0, %z, low = [-1, 1], high = [2, 0], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>
  %expected_0 = stablehlo.constant dense<"0x00001041EE86EEBF00001041D4058EBE00001041F8A2B5BE000010410000104100001041000010410000104100001041000010410000104100001041000010410000104100001041"> : tensor<3x6xf32>
  return %r, %expected_0 : tensor<3x6xf32>, tensor<3x6xf32>
}
// ---- getdim
func.func @main() -> (tensor<i32>, tensor<i32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.get_dimension_size %a0, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
  %expected_0 = stablehlo.constant dense<"0x03000000"> : tensor<i32>
  return %r, %expected_0 : tensor<i32>, tensor<i32>
}
// ---- dyn_reshape
func.func @main() -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %s = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  %r = stablehlo.dynamic_reshape %a0, %s : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<3x2xf32>
  %expected_0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<3x2xf32>
  return %r, %expected_0 : tensor<3x2xf32>, tensor<3x2xf32>
}
// ---- dyn_iota
func.func @main() -> (tensor<3x2xi32>, tensor<3x2xi32>) {
  %s = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<3x2xi32>
  %expected_0 = stablehlo.constant dense<"0x000000000000000001000000010000000200000002000000"> : tensor<3x2xi32>
  return %r, %expected_0 : tensor<3x2xi32>, tensor<3x2xi32>
}
// ---- dyn_bid
func.func @main() -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %s = stablehlo.constant dense<[2, 4]> : tensor<2xi64>
  %r = stablehlo.dynamic_broadcast_in_dim %a0, %s, dims = [1] {known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  %expected_0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<2x4xf32>
  return %r, %expected_0 : tensor<2x4xf32>, tensor<2x4xf32>
}
// ---- dyn_pad
func.func @main() -> (tensor<7xf32>, tensor<7xf32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %l = stablehlo.constant dense<[1]> : tensor<1xi64>
  %h = stablehlo.constant dense<[2]> : tensor<1xi64>
  %i = stablehlo.constant dense<[0]> : tensor<1xi64>
  %r = stablehlo.dynamic_pad %a0, %z, %l, %h, %i : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<7xf32>
  %expected_0 = stablehlo.constant dense<"0x000000000F9E613F4AD3DA3F14F04C3DE131CFBE0000000000000000"> : tensor<7xf32>
  return %r, %expected_0 : tensor<7xf32>, tensor<7xf32>
}
// ---- real_dyn_slice
func.func @main() -> (tensor<2xf32>, tensor<2xf32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %s = stablehlo.constant dense<[1]> : tensor<1xi64>
  %l = stablehlo.constant dense<[4]> : tensor<1xi64>
  %t = stablehlo.constant dense<[2]> : tensor<1xi64>
  %r = stablehlo.real_dynamic_slice %a0, %s, %l, %t : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xf32>
  %expected_0 = stablehlo.constant dense<"0x4AD3DA3FE131CFBE"> : tensor<2xf32>
  return %r, %expected_0 : tensor<2xf32>, tensor<2xf32>
}
// ---- dot_old
func.func @main() -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0xB69C0BBFF8F2C5BF6F7C7B3FC9EF8CBF9BAF97BFE39552BE1C3ABE3FC065723E640B83BFB98636BF0E10203F9D5D24BE"> : tensor<3x4xf32>
  %r = stablehlo.dot %a0, %a1, precision = [HIGH, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %expected_0 = stablehlo.constant dense<"0x0BB7CBBF5C2D3BC04AD51D40FFD6F0BFF2A5DA3F05474C406ABD1DC05CC20240"> : tensor<2x4xf32>
  return %r, %expected_0 : tensor<2x4xf32>, tensor<2x4xf32>
}
// ---- dot_gen_old
func.func @main() -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0xB69C0BBFF8F2C5BF6F7C7B3FC9EF8CBF9BAF97BFE39552BE1C3ABE3FC065723E640B83BFB98636BF0E10203F9D5D24BE"> : tensor<3x4xf32>
  %r = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %expected_0 = stablehlo.constant dense<"0x0BB7CBBF5C2D3BC04AD51D40FFD6F0BFF2A5DA3F05474C406ABD1DC05CC20240"> : tensor<2x4xf32>
  return %r, %expected_0 : tensor<2x4xf32>, tensor<2x4xf32>
}
// ---- dot_batch
func.func @main() -> (tensor<2xf32>, tensor<2xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %r = stablehlo.dot_general %a0, %a1, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %expected_0 = stablehlo.constant dense<"0x6A11DABE489E703F"> : tensor<2xf32>
  return %r, %expected_0 : tensor<2xf32>, tensor<2xf32>
}
// ---- dot_outer
func.func @main() -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %r = stablehlo.dot_general %a0, %a0, contracting_dims = [] x [] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %expected_0 = stablehlo.constant dense<"0x38D7463FCFDAC03F8A9D343DC49AB6BECFDAC03F880C3B40962DAF3D7C1B31BF8A9D343D962DAF3D810F243B0EDEA5BCC49AB6BE7C1B31BF0EDEA5BCB4B1273E"> : tensor<4x4xf32>
  return %r, %expected_0 : tensor<4x4xf32>, tensor<4x4xf32>
}
// ---- dot_alg
func.func @main() -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0xB69C0BBFF8F2C5BF6F7C7B3FC9EF8CBF9BAF97BFE39552BE1C3ABE3FC065723E640B83BFB98636BF0E10203F9D5D24BE"> : tensor<3x4xf32>
  %r = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %expected_0 = stablehlo.constant dense<"0x0BB7CBBF5C2D3BC04AD51D40FFD6F0BFF2A5DA3F05474C406ABD1DC05CC20240"> : tensor<2x4xf32>
  return %r, %expected_0 : tensor<2x4xf32>, tensor<2x4xf32>
}
// ---- einsum
func.func @main() -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0xB69C0BBFF8F2C5BF6F7C7B3FC9EF8CBF9BAF97BFE39552BE1C3ABE3FC065723E640B83BFB98636BF0E10203F9D5D24BE"> : tensor<3x4xf32>
  %r = stablehlo.einsum %a0, %a1, config = "ab,bc->ca" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  %expected_0 = stablehlo.constant dense<"0x0BB7CBBFF2A5DA3F5C2D3BC005474C404AD51D406ABD1DC0FFD6F0BF5CC20240"> : tensor<4x2xf32>
  return %r, %expected_0 : tensor<4x2xf32>, tensor<4x2xf32>
}
// ---- unary_einsum
func.func @main() -> (tensor<3xf32>, tensor<3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = "stablehlo.unary_einsum"(%a0) <{einsum_config = "ab->b"}> : (tensor<2x3xf32>) -> tensor<3xf32>
  %expected_0 = stablehlo.constant dense<"0x705299BDC8F0223EDA3A84BE"> : tensor<3xf32>
  return %r, %expected_0 : tensor<3xf32>, tensor<3xf32>
}
// ---- conv_custom
func.func @main() -> (tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>) {
  %a0 = stablehlo.constant dense<"0x1F69B6BE3F1FDFBF08BE18BF1FAE16BFC0B65FBF636AF33C75E30FC0151889BEFFAF813FF6505A3F17D98D3F31488F3FD067BE3F7A248FBF8A88583FA131EEBFAE561ABF6B0DF5BFB329863FECB7AA3F13274ABE9227E33FF1BA2CBF4F3B1A3ECC9D1C3E8D3788BF8A3AE03E7230F83FEF3083BF0B3B663F0B371EBE2683E23F1BB3F73E851C2D3F59A6243F96107F3E61A8B2BF0322B23F1572AFBFE949743E28341D3F6B8156BF748B143E2B7D953FBD76C5BC0D7F63BF739B3AC08ACA78BFF05017BFEE3304BF"> : tensor<1x5x5x2xf32>
  %a1 = stablehlo.constant dense<"0x4FC275BFD72CC13E172013BF9829E0BDA3D72D3FEEFD5ABF9CB499BE1E1F0A4030D15F3F9C92A5BF384FA3BD1F82103F61E29D3FE48F183E3BD407BFCB033BBFC822253F7349A03E0A4304BF019C41BEE817D5BE2A83393F43A130BF510BF93E25FD593FACF5F83EBE9055BFB628AC3F599F2DBFB355DA3E8DDA40BF013FDFBF142B673E46F6923E5E999EBDDA588D3E42FE25BF7FCA3CBFD01F2CBE2F63F43FB097503F2E1E05BFD4070F3F36ECF4BE161EEABE09FA5B3FBE7706BF327BD6BF091068BF0813B53D7B14033E4AED9E3F774D37BF57413B3F5018DA3E119718BEDEF9553F02F7FB3E40C05CBFF02C893F84469CBF502F743D3C2E203BDA69D93E02B639BFCC200FBDB2FE0FBE2F417F3F11C14BBF9CFB943D50C185BE6426A6BF"> : tensor<3x3x2x4xf32>
  %r = stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [0, 0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x3x3x4xf32>
  %expected_0 = stablehlo.constant dense<"0x6445503EE2B5BB3F3ED012BF9E591C407CE016406C9CBFBE7AED0BBF267BB240AA5B64BF75D819C079F97E3DAAD1133FDEEC9BBF76D31BC0FD42C3BFD7F12440ED4093C007D6CB3F8892C03F1B4021C12FD38ABF37DB113F7E522FBE1ED711C16A0B164065F23440484305C02D2C93C03B3E29C046B0A33F7CCA37C032690040183377BECBC8C3BF87826A409C7495BF"> : tensor<1x3x3x4xf32>
  return %r, %expected_0 : tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>
}
// ---- conv_generic_raw
func.func @main() -> (tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>) {
  %a0 = stablehlo.constant dense<"0x1F69B6BE3F1FDFBF08BE18BF1FAE16BFC0B65FBF636AF33C75E30FC0151889BEFFAF813FF6505A3F17D98D3F31488F3FD067BE3F7A248FBF8A88583FA131EEBFAE561ABF6B0DF5BFB329863FECB7AA3F13274ABE9227E33FF1BA2CBF4F3B1A3ECC9D1C3E8D3788BF8A3AE03E7230F83FEF3083BF0B3B663F0B371EBE2683E23F1BB3F73E851C2D3F59A6243F96107F3E61A8B2BF0322B23F1572AFBFE949743E28341D3F6B8156BF748B143E2B7D953FBD76C5BC0D7F63BF739B3AC08ACA78BFF05017BFEE3304BF"> : tensor<1x5x5x2xf32>
  %a1 = stablehlo.constant dense<"0x4FC275BFD72CC13E172013BF9829E0BDA3D72D3FEEFD5ABF9CB499BE1E1F0A4030D15F3F9C92A5BF384FA3BD1F82103F61E29D3FE48F183E3BD407BFCB033BBFC822253F7349A03E0A4304BF019C41BEE817D5BE2A83393F43A130BF510BF93E25FD593FACF5F83EBE9055BFB628AC3F599F2DBFB355DA3E8DDA40BF013FDFBF142B673E46F6923E5E999EBDDA588D3E42FE25BF7FCA3CBFD01F2CBE2F63F43FB097503F2E1E05BFD4070F3F36ECF4BE161EEABE09FA5B3FBE7706BF327BD6BF091068BF0813B53D7B14033E4AED9E3F774D37BF57413B3F5018DA3E119718BEDEF9553F02F7FB3E40C05CBFF02C893F84469CBF502F743D3C2E203BDA69D93E02B639BFCC200FBDB2FE0FBE2F417F3F11C14BBF9CFB943D50C185BE6426A6BF"> : tensor<3x3x2x4xf32>
  %r = "stablehlo.convolution"(%a0, %a1) {window_strides = dense<1> : tensor<2xi64>, padding = dense<0> : tensor<2x2xi64>, lhs_dilation = dense<1> : tensor<2xi64>, rhs_dilation = dense<1> : tensor<2xi64>, window_reversal = dense<[true, true]> : tensor<2xi1>, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x3x3x4xf32>
  %expected_0 = stablehlo.constant dense<"0xE09C7B401D037640A2744D3FA471DCBF8BACAF405ED280C0AD3D85409D3704407E56A240065010C021591940D0527FC080788A3F92438D3F44C297C0FA3421402ECCE140ACA94DBF0B9485C0CCABB93F2392863F690C7DBE97DBD03F59258B40A2250CBF21EB833FBA2B11C09ED5E1C04021B6BFED4C1140485E1340579ED0C09661C9C056E2F23F028144407C6ADABF"> : tensor<1x3x3x4xf32>
  return %r, %expected_0 : tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>
}
// ---- conv_nowindow
func.func @main() -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0xB69C0BBFF8F2C5BF6F7C7B3FC9EF8CBF9BAF97BFE39552BE1C3ABE3FC065723E640B83BFB98636BF0E10203F9D5D24BE"> : tensor<3x4xf32>
  %r = stablehlo.convolution(%a0, %a1) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %expected_0 = stablehlo.constant dense<"0x0BB7CBBF5C2D3BC04AD51D40FFD6F0BFF2A5DA3F05474C406ABD1DC05CC20240"> : tensor<2x4xf32>
  return %r, %expected_0 : tensor<2x4xf32>, tensor<2x4xf32>
}
// ---- fft_r
func.func @main() -> (tensor<8xf32>, tensor<8xf32>) {
  %a0 = stablehlo.constant dense<"0x6D452B4048DB91BDD04ABEBFE34DB43FF20889BFABE2BD3E90E25C3FA4FF25BF"> : tensor<8xf32>
  %f = stablehlo.fft %a0, type = RFFT, length = [8] : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
  %r = stablehlo.fft %f, type = IRFFT, length = [8] : (tensor<5xcomplex<f32>>) -> tensor<8xf32>
  %expected_0 = stablehlo.constant dense<"0x6D452B4048DB91BDD04ABEBFE34DB43FF20889BFABE2BD3E90E25C3FA4FF25BF"> : tensor<8xf32>
  return %r, %expected_0 : tensor<8xf32>, tensor<8xf32>
}
// ---- fft_old
func.func @main() -> (tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) {
  %a0 = stablehlo.constant dense<"0x9DC34DBF82DE8F3F42D21AC0861407BEA27D6CBFD1C7CFBF5C0E83BF868C253F"> : tensor<2x2xcomplex<f32>>
  %r = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type FFT>, fft_length = dense<2> : tensor<1xi64>} : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  %expected_0 = stablehlo.constant dense<"0x29434EC0E2F77D3FB6C2CE3F13C1A03F2D4DF9BF1C037ABFB0F8CC3D0A4711C0"> : tensor<2x2xcomplex<f32>>
  return %r, %expected_0 : tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>
}
// ---- cholesky
func.func @main() -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %a0 = stablehlo.constant dense<"0x17FFD740E194E83F0FF83BC0CEF4F73EE194E83FDB26DE40045211C0895FE23F0FF83BC0045211C05211F240258954BFCEF4F73E895FE23F258954BFAC69A940"> : tensor<4x4xf32>
  %r = stablehlo.cholesky %a0, lower = true : tensor<4x4xf32>
  %expected_0 = stablehlo.constant dense<"0x88462640000000000000000000000000F80A333F34942240000000000000000025B390BFD52515BF8E131C4000000000DFE03E3E7D16253F73BACCBDC3B40C40"> : tensor<4x4xf32>
  return %r, %expected_0 : tensor<4x4xf32>, tensor<4x4xf32>
}
// ---- trisolve
func.func @main() -> (tensor<4x1xf32>, tensor<4x1xf32>) {
  %a0 = stablehlo.constant dense<"0x88462640000000000000000000000000F80A333F34942240000000000000000025B390BFD52515BF8E131C4000000000DFE03E3E7D16253F73BACCBDC3B40C40"> : tensor<4x4xf32>
  %a1 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4x1xf32>
  %r = "stablehlo.triangular_solve"(%a0, %a1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  %expected_0 = stablehlo.constant dense<"0x3174273ECE01393F3186543C127C3CBE"> : tensor<4x1xf32>
  return %r, %expected_0 : tensor<4x1xf32>, tensor<4x1xf32>
}
// ---- reduce_add
func.func @main() -> (tensor<2xf32>, tensor<2xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%a0 init: %i) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %expected_0 = stablehlo.constant dense<"0xAE95144091B81FC0"> : tensor<2xf32>
  return %r, %expected_0 : tensor<2xf32>, tensor<2xf32>
}
// ---- reduce_maximum
func.func @main() -> (tensor<2xf32>, tensor<2xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %r = stablehlo.reduce(%a0 init: %i) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %expected_0 = stablehlo.constant dense<"0xC7F1E43FD4058EBE"> : tensor<2xf32>
  return %r, %expected_0 : tensor<2xf32>, tensor<2xf32>
}
// ---- reduce_minimum
func.func @main() -> (tensor<2xf32>, tensor<2xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %i = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %r = stablehlo.reduce(%a0 init: %i) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %expected_0 = stablehlo.constant dense<"0x77A0C53DEE86EEBF"> : tensor<2xf32>
  return %r, %expected_0 : tensor<2xf32>, tensor<2xf32>
}
// ---- reduce_multiply
func.func @main() -> (tensor<2xf32>, tensor<2xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %i = stablehlo.constant dense<1.0> : tensor<f32>
  %r = stablehlo.reduce(%a0 init: %i) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %expected_0 = stablehlo.constant dense<"0x444C9A3DA6C73BBE"> : tensor<2xf32>
  return %r, %expected_0 : tensor<2xf32>, tensor<2xf32>
}
// ---- reduce_and
func.func @main() -> (tensor<i1>, tensor<i1>) {
  %a0 = stablehlo.constant dense<[[true, true, true], [true, true, true]]> : tensor<2x3xi1>
  %i = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.reduce(%a0 init: %i) applies stablehlo.and across dimensions = [0, 1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<i1>
  %expected_0 = stablehlo.constant dense<true> : tensor<i1>
  return %r, %expected_0 : tensor<i1>, tensor<i1>
}
// ---- argmax
func.func @main() -> (tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %k = stablehlo.iota dim = 0 : tensor<4xi32>
  %r:2 = stablehlo.reduce(%a0 init: %i), (%k init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
    %c = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s = stablehlo.select %c, %x, %y : tensor<i1>, tensor<f32>
    %t = stablehlo.select %c, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %s, %t : tensor<f32>, tensor<i32>
   }
  %expected_0 = stablehlo.constant dense<"0x4AD3DA3F"> : tensor<f32>
  %expected_1 = stablehlo.constant dense<"0x01000000"> : tensor<i32>
  return %r#0, %r#1, %expected_0, %expected_1 : tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>
}
// ---- reduce_generic
func.func @main() -> (tensor<3xf32>, tensor<3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce"(%a0, %i) ({
   ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
   }) {dimensions = dense<0> : tensor<1xi64>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  %expected_0 = stablehlo.constant dense<"0x705299BDC8F0223EDA3A84BE"> : tensor<3xf32>
  return %r, %expected_0 : tensor<3xf32>, tensor<3xf32>
}
// ---- reduce_window
func.func @main() -> (tensor<3xf32>, tensor<3xf32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%a0, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1>}> ({
   ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
   }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  %expected_0 = stablehlo.constant dense<"0x0F9E613FCB3AE13FE131CFBE"> : tensor<3xf32>
  return %r, %expected_0 : tensor<3xf32>, tensor<3xf32>
}
// ---- select_scatter
func.func @main() -> (tensor<4xf32>, tensor<4xf32>) {
  %a0 = stablehlo.constant dense<"0x000040400000803F000000000000A040"> : tensor<4xf32>
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = "stablehlo.select_and_scatter"(%a0, %s, %i) ({
   ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
   }, {
   ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %c : tensor<f32>
   }) {window_dimensions = dense<2> : tensor<1xi64>, window_strides = dense<2> : tensor<1xi64>, padding = dense<0> : tensor<1x2xi64>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  %expected_0 = stablehlo.constant dense<"0x0000803F000000000000000000000040"> : tensor<4xf32>
  return %r, %expected_0 : tensor<4xf32>, tensor<4xf32>
}
// ---- sort2
func.func @main() -> (tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %k = stablehlo.iota dim = 0 : tensor<4xi32>
  %r:2 = "stablehlo.sort"(%a0, %k) ({
   ^bb0(%x: tensor<f32>, %y: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %c = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
   }) {dimension = -1 : i64, is_stable = true} : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  %expected_0 = stablehlo.constant dense<"0xE131CFBE14F04C3D0F9E613F4AD3DA3F"> : tensor<4xf32>
  %expected_1 = stablehlo.constant dense<"0x03000000020000000000000001000000"> : tensor<4xi32>
  return %r#0, %r#1, %expected_0, %expected_1 : tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi32>
}
// ---- map
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %r = "stablehlo.map"(%a0, %a1) ({
   ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.multiply %x, %y : tensor<f32>
    stablehlo.return %c : tensor<f32>
   }) {dimensions = dense<[0, 1]> : tensor<2xi64>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xAE8B17BE5B218CBEE88D8ABBAAA8633F4499BA3E07AEA0BE"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- scatter_add
func.func @main() -> (tensor<4xf32>, tensor<4xf32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %i = stablehlo.constant dense<[[0], [2], [0]]> : tensor<3x1xi32>
  %u = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %r = "stablehlo.scatter"(%a0, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
   ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %c : tensor<f32>
   }) : (tensor<4xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<4xf32>
  %expected_0 = stablehlo.constant dense<"0xC2339C404AD3DA3FC0330340E131CFBE"> : tensor<4xf32>
  return %r, %expected_0 : tensor<4xf32>, tensor<4xf32>
}
// ---- gather
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %i = stablehlo.constant dense<[2, 0, 7]> : tensor<3xi64>
  %r = "stablehlo.gather"(%a0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 1>}> : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x77A0C53DC7F1E43F77A0C53DF8A2B5BEEE86EEBFF8A2B5BE"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- gather_batch
func.func @main() -> (tensor<2xf32>, tensor<2xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %i = stablehlo.constant dense<[[1], [0]]> : tensor<2x1xi32>
  %r = "stablehlo.gather"(%a0, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = dense<1> : tensor<2xi64>} : (tensor<2x3xf32>, tensor<2x1xi32>) -> tensor<2xf32>
  %expected_0 = stablehlo.constant dense<"0x387EDF3EEE86EEBF"> : tensor<2xf32>
  return %r, %expected_0 : tensor<2xf32>, tensor<2xf32>
}
// ---- torch_select
func.func @main() -> (tensor<3x3xf32>, tensor<3x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %i = stablehlo.constant dense<[1, 0, 1]> : tensor<3xi32>
  %r = "stablehlo.torch_index_select"(%a0, %i) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<2x3xf32>, tensor<3xi32>) -> tensor<3x3xf32>
  %expected_0 = stablehlo.constant dense<"0xEE86EEBFD4058EBEF8A2B5BEC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<3x3xf32>
  return %r, %expected_0 : tensor<3x3xf32>, tensor<3x3xf32>
}
// ---- while_generic
func.func @main() -> (tensor<i32>, tensor<f32>, tensor<i32>, tensor<f32>) {
  %a0 = stablehlo.constant dense<"0x0000803F"> : tensor<f32>
  %a1 = stablehlo.constant dense<"0x00000040"> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = "stablehlo.while"(%z, %a0) ({
   ^bb0(%i: tensor<i32>, %x: tensor<f32>):
    %n = stablehlo.constant dense<5> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
   }, {
   ^bb0(%i: tensor<i32>, %x: tensor<f32>):
    %o = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %o : tensor<i32>
    %y = stablehlo.add %x, %a1 : tensor<f32>
    stablehlo.return %j, %y : tensor<i32>, tensor<f32>
   }) : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>)
  %expected_0 = stablehlo.constant dense<"0x05000000"> : tensor<i32>
  %expected_1 = stablehlo.constant dense<"0x00003041"> : tensor<f32>
  return %r#0, %r#1, %expected_0, %expected_1 : tensor<i32>, tensor<f32>, tensor<i32>, tensor<f32>
}
// ---- while_none_captured
func.func @main() -> (tensor<i32>, tensor<i32>) {
  %a0 = stablehlo.constant dense<"0x09000000"> : tensor<i32>
  %a1 = stablehlo.constant dense<"0x01000000"> : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.while(%i = %z) : tensor<i32> attributes {mhlo.frontend_attributes = {}}
   cond { %c = stablehlo.compare LT, %i, %a0 : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %c : tensor<i1> }
   do { %j = stablehlo.add %i, %i : tensor<i32> %k = stablehlo.add %j, %a1 : tensor<i32> stablehlo.return %k : tensor<i32> }
  %expected_0 = stablehlo.constant dense<"0x0F000000"> : tensor<i32>
  return %r, %expected_0 : tensor<i32>, tensor<i32>
}
// ---- if_captures
func.func @main() -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %a0 = stablehlo.constant dense<"0x0000803F"> : tensor<f32>
  %a1 = stablehlo.constant dense<"0x00000040"> : tensor<f32>
  %p = stablehlo.compare GT, %a0, %a1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %r:2 = "stablehlo.if"(%p) ({ stablehlo.return %a0, %a1 : tensor<f32>, tensor<f32> }, { %n = stablehlo.negate %a0 : tensor<f32> stablehlo.return %n, %n : tensor<f32>, tensor<f32> }) : (tensor<i1>) -> (tensor<f32>, tensor<f32>)
  %expected_0 = stablehlo.constant dense<"0x000080BF"> : tensor<f32>
  %expected_1 = stablehlo.constant dense<"0x000080BF"> : tensor<f32>
  return %r#0, %r#1, %expected_0, %expected_1 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}
// ---- case3
func.func @main() -> (tensor<f32>, tensor<f32>) {
  %a0 = stablehlo.constant dense<"0xFCFFFFFF"> : tensor<i32>
  %a1 = stablehlo.constant dense<"0x00000040"> : tensor<f32>
  %r = "stablehlo.case"(%a0) ({ stablehlo.return %a1 : tensor<f32> }, { %n = stablehlo.negate %a1 : tensor<f32> stablehlo.return %n : tensor<f32> }, { %m = stablehlo.constant dense<3.0> : tensor<f32> stablehlo.return %m : tensor<f32> }) : (tensor<i32>) -> tensor<f32>
  %expected_0 = stablehlo.constant dense<"0x00004040"> : tensor<f32>
  return %r, %expected_0 : tensor<f32>, tensor<f32>
}
// ---- barrier
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %x, %y = stablehlo.optimization_barrier %a0, %a1 : tensor<2x3xf32>, tensor<2x3xf32>
  %r = stablehlo.add %x, %y : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x815ADA3F081043BE40C6573D34CE15C02DAECBBF21A5073F"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- barrier_gen
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %b:2 = "stablehlo.optimization_barrier"(%a0, %a1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  %r = stablehlo.add %b#0, %b#1 : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x815ADA3F081043BE40C6573D34CE15C02DAECBBF21A5073F"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- tuple_gte
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %u = stablehlo.tuple %a0, %a1 : tuple<tensor<2x3xf32>, tensor<2x3xf32>>
  %r = stablehlo.get_tuple_element %u[1] : (tuple<tensor<2x3xf32>, tensor<2x3xf32>>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- token
func.func @main() -> (tensor<f32>, tensor<f32>) {
  %a0 = stablehlo.constant dense<"0x00000040"> : tensor<f32>
  %k = stablehlo.create_token : !stablehlo.token
  %l = stablehlo.after_all %k, %k : !stablehlo.token
  %r = stablehlo.add %a0, %a0 : tensor<f32>
  %expected_0 = stablehlo.constant dense<"0x00008040"> : tensor<f32>
  return %r, %expected_0 : tensor<f32>, tensor<f32>
}
// ---- batch_norm_inference
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x000000400000004000000040"> : tensor<3xf32>
  %a2 = stablehlo.constant dense<"0x0000803F0000803F0000803F"> : tensor<3xf32>
  %a3 = stablehlo.constant dense<"0x705219BDC8F0A23DDA3A04BE"> : tensor<3xf32>
  %a4 = stablehlo.constant dense<"0x666875401D9E203F50080D3F"> : tensor<3xf32>
  %r = "stablehlo.batch_norm_inference"(%a0, %a1, %a2, %a3, %a4) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x08593740A045F33FFCBFCD3F20645DBF00A6CB3D1200C93E"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- bn_train
func.func @main() -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x0000803F0000004000004040"> : tensor<3xf32>
  %r:3 = "stablehlo.batch_norm_training"(%a0, %a1, %a1) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %expected_0 = stablehlo.constant dense<"0x17FBFF3F2A807F402012BF4000201D3900ADFF3B80E0ED3C"> : tensor<2x3xf32>
  %expected_1 = stablehlo.constant dense<"0x705219BDC8F0A23DDA3A04BE"> : tensor<3xf32>
  %expected_2 = stablehlo.constant dense<"0x666855407478023E0285503D"> : tensor<3xf32>
  return %r#0, %r#1, %r#2, %expected_0, %expected_1, %expected_2 : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
}
// ---- hex_dense
func.func @main() -> (tensor<3xf32>, tensor<3xf32>) {
  %r = stablehlo.constant dense<"0x0000803F000000C000000040"> : tensor<3xf32>
  %expected_0 = stablehlo.constant dense<"0x0000803F000000C000000040"> : tensor<3xf32>
  return %r, %expected_0 : tensor<3xf32>, tensor<3xf32>
}
// ---- hex_i1
func.func @main() -> (tensor<5xi1>, tensor<5xi1>) {
  %r = stablehlo.constant dense<"0x0100010001"> : tensor<5xi1>
  %expected_0 = stablehlo.constant dense<[true, false, true, false, true]> : tensor<5xi1>
  return %r, %expected_0 : tensor<5xi1>, tensor<5xi1>
}
// ---- bool_nested
func.func @main() -> (tensor<2x2xi1>, tensor<2x2xi1>) {
  %r = stablehlo.constant dense<[[true, false], [0, 1]]> : tensor<2x2xi1>
  %expected_0 = stablehlo.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>
  return %r, %expected_0 : tensor<2x2xi1>, tensor<2x2xi1>
}
// ---- const_generic
func.func @main() -> (tensor<2xi32>, tensor<2xi32>) {
  %r = "stablehlo.constant"() {value = dense<[1, -2]> : tensor<2xi32>} : () -> tensor<2xi32>
  %expected_0 = stablehlo.constant dense<"0x01000000FEFFFFFF"> : tensor<2xi32>
  return %r, %expected_0 : tensor<2xi32>, tensor<2xi32>
}
// ---- const_ui8
func.func @main() -> (tensor<3xui8>, tensor<3xui8>) {
  %r = stablehlo.constant dense<[255, 0, -1]> : tensor<3xui8>
  %expected_0 = stablehlo.constant dense<"0xFF00FF"> : tensor<3xui8>
  return %r, %expected_0 : tensor<3xui8>, tensor<3xui8>
}
// ---- const_empty
func.func @main() -> (tensor<0x3xf32>, tensor<0x3xf32>) {
  %r = stablehlo.constant dense<> : tensor<0x3xf32>
  %expected_0 = stablehlo.constant dense<> : tensor<0x3xf32>
  return %r, %expected_0 : tensor<0x3xf32>, tensor<0x3xf32>
}
// ---- const_f16
func.func @main() -> (tensor<3xf16>, tensor<3xf16>) {
  %r = stablehlo.constant dense<[1.0e-01, 0x7C00, -0.0]> : tensor<3xf16>
  %expected_0 = stablehlo.constant dense<"0x662E007C0080"> : tensor<3xf16>
  return %r, %expected_0 : tensor<3xf16>, tensor<3xf16>
}
// ---- chlo_erf
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = chlo.erf %a0 : tensor<2x3xf32> -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x6B137D3F130BED3EC84EDE3D36D97DBF0B3D9CBE06ACC4BE"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- chlo_erf_gen
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = "chlo.erf"(%a0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x6B137D3F130BED3EC84EDE3D36D97DBF0B3D9CBE06ACC4BE"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- chlo_erfc
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = chlo.erfc %a0 : tensor<2x3xf32> -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x27253B3C777A093F2736643F9BECFE3F430FA73F012BB13F"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- chlo_lgamma
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0x94BEF13FB658093FA236493EBB53FB3F0739C13E2BD6E83E"> : tensor<2x3xf32>
  %r = chlo.lgamma %a0 : tensor<2x3xf32> -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x521630BD72FB003FE478C53F47C975BCE6445B3F57A12A3F"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- chlo_sinh
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %x = chlo.sinh %a0 : tensor<2x3xf32> -> tensor<2x3xf32>
  %y = chlo.cosh %a0 : tensor<2x3xf32> -> tensor<2x3xf32>
  %z = chlo.asinh %a0 : tensor<2x3xf32> -> tensor<2x3xf32>
  %w = chlo.atan %a0 : tensor<2x3xf32> -> tensor<2x3xf32>
  %v = chlo.tan %a0 : tensor<2x3xf32> -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xBA0C3A408DA8E63E05EFC53D8C5049C0E1D98FBE7878B9BE"> : tensor<2x3xf32>
  %expected_1 = stablehlo.constant dense<"0xF6BF4440B5638C3FAF98803F323E5340C3F4843FB523883F"> : tensor<2x3xf32>
  %expected_2 = stablehlo.constant dense<"0xD825AC3F69F1D83E4652C53D39C0B0BF04438CBE0C07B2BE"> : tensor<2x3xf32>
  %expected_3 = stablehlo.constant dense<"0xF1CE873F7EBAD23E4D04C53D07058ABF238A8ABE838BAEBE"> : tensor<2x3xf32>
  %expected_4 = stablehlo.constant dense<"0x399290C036DCEE3E163EC63D5F605440F6C791BE22A9BDBE"> : tensor<2x3xf32>
  return %x, %y, %z, %w, %v, %expected_0, %expected_1, %expected_2, %expected_3, %expected_4 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- chlo_bcast_add
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x0000803F0000004000004040"> : tensor<3xf32>
  %r = chlo.broadcast_add %a0, %a1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xE4783240C7EF1B40042D4640DC0D5DBF8B7EDC3FA14B2940"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- chlo_bcast_dims
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x0000803F00000040"> : tensor<2xf32>
  %r = chlo.broadcast_multiply %a0, %a1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE866EC0D4050EBFF8A235BF"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- chlo_bcast_cmp
func.func @main() -> (tensor<2x3xi1>, tensor<2x3xi1>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x0000803F0000004000004040"> : tensor<3xf32>
  %r = chlo.broadcast_compare %a0, %a1 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %expected_0 = stablehlo.constant dense<[[false, true, true], [true, true, true]]> : tensor<2x3xi1>
  return %r, %expected_0 : tensor<2x3xi1>, tensor<2x3xi1>
}
// ---- chlo_bcast_sel
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x0000803F0000004000004040"> : tensor<3xf32>
  %p = stablehlo.constant dense<false> : tensor<i1>
  %r = chlo.broadcast_select %p, %a0, %a1 : (tensor<i1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x0000803F00000040000040400000803F0000004000004040"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- chlo_topk
func.func @main() -> (tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<2xi32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %x, %y = chlo.top_k(%a0, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  %expected_0 = stablehlo.constant dense<"0x4AD3DA3F0F9E613F"> : tensor<2xf32>
  %expected_1 = stablehlo.constant dense<"0x0100000000000000"> : tensor<2xi32>
  return %x, %y, %expected_0, %expected_1 : tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<2xi32>
}
// ---- chlo_topk_stable
func.func @main() -> (tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<2xi32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %x, %y = chlo.top_k(%a0, k = 2, is_stable = true) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  %expected_0 = stablehlo.constant dense<"0x4AD3DA3F0F9E613F"> : tensor<2xf32>
  %expected_1 = stablehlo.constant dense<"0x0100000000000000"> : tensor<2xi32>
  return %x, %y, %expected_0, %expected_1 : tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<2xi32>
}
// ---- chlo_is_inf
func.func @main() -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %a0 = stablehlo.constant dense<"0x0000803F0000807F000080FF0000C07F"> : tensor<4xf32>
  %x = chlo.is_inf %a0 : tensor<4xf32> -> tensor<4xi1>
  %y = chlo.is_pos_inf %a0 : tensor<4xf32> -> tensor<4xi1>
  %z = chlo.is_neg_inf %a0 : tensor<4xf32> -> tensor<4xi1>
  %expected_0 = stablehlo.constant dense<[false, true, true, false]> : tensor<4xi1>
  %expected_1 = stablehlo.constant dense<[false, true, false, false]> : tensor<4xi1>
  %expected_2 = stablehlo.constant dense<[false, false, true, false]> : tensor<4xi1>
  return %x, %y, %z, %expected_0, %expected_1, %expected_2 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}
// ---- chlo_nextafter
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<"0x5E74A9BD1E8320BFAE7A33BDEC55F4BEB82CA8BF9D76623F"> : tensor<2x3xf32>
  %r = chlo.next_after %a0, %a1 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xC6F1E43F377EDF3E76A0C53DED86EEBFD5058EBEF7A2B5BE"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- chlo_mulhi
func.func @main() -> (tensor<2xui32>, tensor<2xui32>) {
  %a0 = stablehlo.constant dense<"0x0000008007000000"> : tensor<2xui32>
  %a1 = stablehlo.constant dense<"0x0600000000000040"> : tensor<2xui32>
  %r = chlo.mulhi %a0, %a1 : tensor<2xui32>, tensor<2xui32> -> tensor<2xui32>
  %expected_0 = stablehlo.constant dense<"0x0300000001000000"> : tensor<2xui32>
  return %r, %expected_0 : tensor<2xui32>, tensor<2xui32>
}
// ---- chlo_square_conj
func.func @main() -> (tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) {
  %a0 = stablehlo.constant dense<"0x9DC34DBF82DE8F3F42D21AC0861407BEA27D6CBFD1C7CFBF5C0E83BF868C253F"> : tensor<2x2xcomplex<f32>>
  %x = chlo.square %a0 : tensor<2x2xcomplex<f32>> -> tensor<2x2xcomplex<f32>>
  %y = chlo.conj %a0 : tensor<2x2xcomplex<f32>> -> tensor<2x2xcomplex<f32>>
  %expected_0 = stablehlo.constant dense<"0x7B061EBF3A46E7BFBBB4BA409562233F900DE4BF2DF23F405A50213F6380A9BF"> : tensor<2x2xcomplex<f32>>
  %expected_1 = stablehlo.constant dense<"0x9DC34DBF82DE8FBF42D21AC08614073EA27D6CBFD1C7CF3F5C0E83BF868C25BF"> : tensor<2x2xcomplex<f32>>
  return %x, %y, %expected_0, %expected_1 : tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>
}
// ---- chlo_constant
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %c = chlo.constant dense<2.0> : tensor<f32>
  %d = "chlo.constant_like"(%a0) {value = 3.0 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = chlo.broadcast_multiply %c, %d : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0x0000C0400000C0400000C0400000C0400000C0400000C040"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- chlo_ragged
func.func @main() -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %a0 = stablehlo.constant dense<"0x000000000000803F0000004000004040000080400000A040"> : tensor<3x2xf32>
  %a1 = stablehlo.constant dense<"0x000000000000803F0000004000004040000080400000A0400000C0400000E040"> : tensor<2x2x2xf32>
  %g = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "chlo.ragged_dot"(%a0, %a1, %g) {precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<3x2xf32>, tensor<2x2x2xf32>, tensor<2xi32>) -> tensor<3x2xf32>
  %expected_0 = stablehlo.constant dense<"0x00000040000040400000D0410000F8410000384200005C42"> : tensor<3x2xf32>
  return %r, %expected_0 : tensor<3x2xf32>, tensor<3x2xf32>
}
// ---- chlo_scan
func.func @main() -> (tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<f32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r:2 = chlo.scan(%a0) inits (%i) dimension=0 {
   ^bb0(%x: tensor<f32>, %c: tensor<f32>):
    %s = stablehlo.add %x, %c : tensor<f32>
    stablehlo.return %s, %s : tensor<f32>, tensor<f32>
   } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  %expected_0 = stablehlo.constant dense<"0x0F9E613F29D12540E9042940AD1E0F40"> : tensor<4xf32>
  %expected_1 = stablehlo.constant dense<"0xAD1E0F40"> : tensor<f32>
  return %r#0, %r#1, %expected_0, %expected_1 : tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<f32>
}
// ---- arith_const
func.func @main() -> (tensor<2xf32>, tensor<2xf32>) {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = stablehlo.add %c, %c : tensor<2xf32>
  %expected_0 = stablehlo.constant dense<"0x0000004000008040"> : tensor<2xf32>
  return %r, %expected_0 : tensor<2xf32>, tensor<2xf32>
}
// ---- tensor_cast
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %x = tensor.cast %a0 : tensor<2x3xf32> to tensor<?x3xf32>
  %y = tensor.cast %x : tensor<?x3xf32> to tensor<2x3xf32>
  %r = stablehlo.negate %y : tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xC7F1E4BF387EDFBE77A0C5BDEE86EE3FD4058E3EF8A2B53E"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- custom_call
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  %r = stablehlo.custom_call @Sharding(%a0) {backend_config = "", mhlo.sharding = "{replicated}", api_version = 1 : i32, has_side_effect = false, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %expected_0 = stablehlo.constant dense<"0xC7F1E43F387EDF3E77A0C53DEE86EEBFD4058EBEF8A2B5BE"> : tensor<2x3xf32>
  return %r, %expected_0 : tensor<2x3xf32>, tensor<2x3xf32>
}
// ---- replica_ids
func.func @main() -> (tensor<ui32>, tensor<ui32>) {
  %x = stablehlo.replica_id : tensor<ui32>
  %y = stablehlo.partition_id : tensor<ui32>
  %r = stablehlo.add %x, %y : tensor<ui32>
  %expected_0 = stablehlo.constant dense<"0x00000000"> : tensor<ui32>
  return %r, %expected_0 : tensor<ui32>, tensor<ui32>
}
// ---- coll_all_reduce
func.func @main() -> (tensor<4xf32>, tensor<4xf32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %r = "stablehlo.all_reduce"(%a0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0]]> : tensor<1x1xi64>, use_global_device_ids}> ({
   ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
   }) : (tensor<4xf32>) -> tensor<4xf32>
  %expected_0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  return %r, %expected_0 : tensor<4xf32>, tensor<4xf32>
}
// ---- coll_all_gather
func.func @main() -> (tensor<4xf32>, tensor<4xf32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %r = "stablehlo.all_gather"(%a0) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %expected_0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  return %r, %expected_0 : tensor<4xf32>, tensor<4xf32>
}
// ---- coll_all_to_all
func.func @main() -> (tensor<4xf32>, tensor<4xf32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %r = "stablehlo.all_to_all"(%a0) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %expected_0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  return %r, %expected_0 : tensor<4xf32>, tensor<4xf32>
}
// ---- coll_collective_permute
func.func @main() -> (tensor<4xf32>, tensor<4xf32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %r = "stablehlo.collective_permute"(%a0) {source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle=0, type=0>} : (tensor<4xf32>) -> tensor<4xf32>
  %expected_0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  return %r, %expected_0 : tensor<4xf32>, tensor<4xf32>
}
// ---- coll_collective_broadcast
func.func @main() -> (tensor<4xf32>, tensor<4xf32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %r = "stablehlo.collective_broadcast"(%a0) {replica_groups = dense<[[0]]> : tensor<1x1xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %expected_0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  return %r, %expected_0 : tensor<4xf32>, tensor<4xf32>
}
// ---- coll_reduce_scatter
func.func @main() -> (tensor<4xf32>, tensor<4xf32>) {
  %a0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  %r = "stablehlo.reduce_scatter"(%a0) ({
   ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
   }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %expected_0 = stablehlo.constant dense<"0x0F9E613F4AD3DA3F14F04C3DE131CFBE"> : tensor<4xf32>
  return %r, %expected_0 : tensor<4xf32>, tensor<4xf32>
}
// ---- quant_free
func.func @main() -> (tensor<f32>, tensor<f32>) {
  %r = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %expected_0 = stablehlo.constant dense<"0x0000C07F"> : tensor<f32>
  return %r, %expected_0 : tensor<f32>, tensor<f32>
}
