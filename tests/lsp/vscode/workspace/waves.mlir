func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %twice = stablehlo.add %x, %x : tensor<2x3xf32>
  %waves = stablehlo.sine %twice : tensor<2x3xf32>
  %last = stablehlo.negate %waves : tensor<2x3xf32>
  return %last : tensor<2x3xf32>
}
