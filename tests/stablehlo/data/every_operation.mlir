module @all attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func @main(%x: tensor<4x8xf32>, %i: tensor<i32>, %s: tensor<8xf32>, %c: tensor<4xcomplex<f32>>, %st: tensor<2xui64>, %m: tensor<4x4xf32>) -> (tensor<4x8xf32>, tensor<8x8xf32>) {
    %tok = stablehlo.create_token : !stablehlo.token
    %ag = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<4x8xf32>) -> tensor<8x8xf32>
    %ar = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %ar2:2 = "stablehlo.all_reduce"(%x, %s) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>)
    %rs = "stablehlo.reduce_scatter"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %aa = "stablehlo.all_to_all"(%x) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %cp = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %cb = "stablehlo.collective_broadcast"(%x) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %bn:3 = "stablehlo.batch_norm_training"(%x, %s, %s) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
    %bi = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    %bg:3 = "stablehlo.batch_norm_grad"(%x, %s, %s, %s, %x) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
    %in:2 = "stablehlo.infeed"(%tok) {infeed_config = "cfg", layout = [[0]]} : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
    %out = "stablehlo.outfeed"(%in#0, %tok) {outfeed_config = ""} : (tensor<3xi32>, !stablehlo.token) -> !stablehlo.token
    %sd = "stablehlo.send"(%x, %tok) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true} : (tensor<4x8xf32>, !stablehlo.token) -> !stablehlo.token
    %rc:2 = "stablehlo.recv"(%tok) {channel_handle = #stablehlo.channel_handle<handle = 6, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<3x4xi32>, !stablehlo.token)
    %aft = stablehlo.after_all %tok, %sd : !stablehlo.token
    %rng:2 = stablehlo.rng_bit_generator %st, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32>)
    %shp = stablehlo.constant dense<[4, 8]> : tensor<2xi64>
    %f0 = stablehlo.constant dense<0.0> : tensor<f32>
    %f1 = stablehlo.constant dense<1.0> : tensor<f32>
    %r = stablehlo.rng %f0, %f1, %shp, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x8xf32>
    %fft = stablehlo.fft %c, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %ch = stablehlo.cholesky %m, lower = true : tensor<4x4xf32>
    %ts = "stablehlo.triangular_solve"(%m, %x) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %t = stablehlo.tuple %x, %s : tuple<tensor<4x8xf32>, tensor<8xf32>>
    %g = stablehlo.get_tuple_element %t[1] : (tuple<tensor<4x8xf32>, tensor<8xf32>>) -> tensor<8xf32>
    %ob:2 = stablehlo.optimization_barrier %x, %s : tensor<4x8xf32>, tensor<8xf32>
    %pid = stablehlo.partition_id : tensor<ui32>
    %rid = stablehlo.replica_id : tensor<ui32>
    %gd = stablehlo.get_dimension_size %x, dim = 1 : (tensor<4x8xf32>) -> tensor<i32>
    %rdl = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
    %rdh = stablehlo.constant dense<[2, 5]> : tensor<2xi32>
    %rds = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %rd = stablehlo.real_dynamic_slice %x, %rdl, %rdh, %rds : (tensor<4x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x2xf32>
    %dg = stablehlo.dot_general %m, %x, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %tan = stablehlo.tan %x {result_accuracy = #stablehlo.result_accuracy<atol = 1.0e-5, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4x8xf32>
    %cbrt = stablehlo.cbrt %x : tensor<4x8xf32>
    %cs = "stablehlo.case"(%i) ({
      stablehlo.return %x : tensor<4x8xf32>
    }, {
      %n = stablehlo.negate %x : tensor<4x8xf32>
      %n2 = stablehlo.add %n, %cbrt : tensor<4x8xf32>
      stablehlo.return %n2 : tensor<4x8xf32>
    }) : (tensor<i32>) -> tensor<4x8xf32>
    %cc:2 = stablehlo.custom_call @foo(%x, %s) {has_side_effect = true, api_version = 4 : i32, backend_config = {a = 1 : i32, b = "x"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>)
    %comp = stablehlo.composite "my.op" %x {composite_attributes = {n = 1 : i32}, decomposition = @dec, version = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %es = stablehlo.einsum %m, %x, config = "ab,bc->ca" : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<8x4xf32>
    %idx = stablehlo.constant dense<[0, 2]> : tensor<2xi32>
    %tis = "stablehlo.torch_index_select"(%x, %idx) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<2x8xf32>
    %conv_in = stablehlo.reshape %x : (tensor<4x8xf32>) -> tensor<1x4x8x1xf32>
    %k = stablehlo.constant dense<1.0> : tensor<2x2x1x3xf32>
    %conv = stablehlo.convolution(%conv_in, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 2], pad = [[0, 1], [1, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x8x1xf32>, tensor<2x2x1x3xf32>) -> tensor<1x4x4x3xf32>
    %srt:2 = "stablehlo.sort"(%x, %x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %a1: tensor<f32>, %b1: tensor<f32>):
      %0 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    }) {dimension = -1 : i64, is_stable = true} : (tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    %tk:2 = chlo.top_k(%x, k = 3) : tensor<4x8xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
    %lg = chlo.lgamma %x : tensor<4x8xf32> -> tensor<4x8xf32>
    %dgm = chlo.digamma %x : tensor<4x8xf32> -> tensor<4x8xf32>
    %zt = chlo.zeta %x, %x : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
    %pg = chlo.polygamma %x, %x : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
    %ei = chlo.erf_inv %x : tensor<4x8xf32> -> tensor<4x8xf32>
    %ec = chlo.erfc %x : tensor<4x8xf32> -> tensor<4x8xf32>
    %be = chlo.bessel_i1e %x : tensor<4x8xf32> -> tensor<4x8xf32>
    %na = chlo.next_after %x, %x : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
    %sqc = chlo.square %c : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
    %cj = chlo.conj %c : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
    %ii = chlo.is_inf %x : tensor<4x8xf32> -> tensor<4x8xi1>
    %ba = chlo.broadcast_add %x, %s : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    %bc = chlo.broadcast_compare %x, %s {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
    %cl = "chlo.constant_like"(%x) {value = 2.0 : f32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %dp = "stablehlo.async_start"(%x) ({
    ^bb0(%a: tensor<4x8xf32>):
      %0 = stablehlo.negate %a : tensor<4x8xf32>
      stablehlo.return %0 : tensor<4x8xf32>
    }) : (tensor<4x8xf32>) -> !stablehlo.future<tensor<4x8xf32>>
    %dd = "stablehlo.async_done"(%dp) : (!stablehlo.future<tensor<4x8xf32>>) -> tensor<4x8xf32>
    %bd = stablehlo.set_dimension_size %s, %i, dim = 0 : (tensor<8xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<8>>
    %mp = "stablehlo.map"(%x, %x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.multiply %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) {dimensions = array<i64: 0, 1>} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %rw = "stablehlo.reduce_window"(%x, %f0) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x4xf32>
    %sas = "stablehlo.select_and_scatter"(%x, %rw, %f0) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
    return %ar, %ag : tensor<4x8xf32>, tensor<8x8xf32>
  }
  func.func private @dec(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = stablehlo.abs %x : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}
