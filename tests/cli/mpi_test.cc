// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/mpi_test.h"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "tests/support/mpi.h"

namespace hloscope {

std::string EveryCollective() {
  std::string text = R"(HloModule every_collective, replica_count=2, num_partitions=4
add_f32 { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
add_bf16 { a = bf16[] parameter(0) b = bf16[] parameter(1) ROOT c = bf16[] add(a, b) }
add_c64 { a = c64[] parameter(0) b = c64[] parameter(1) ROOT c = c64[] add(a, b) }
add_s4 { a = s4[] parameter(0) b = s4[] parameter(1) ROOT c = s4[] add(a, b) }
add_f8 { a = f8e4m3fn[] parameter(0) b = f8e4m3fn[] parameter(1) ROOT c = f8e4m3fn[] add(a, b) }
or_pred { a = pred[] parameter(0) b = pred[] parameter(1) ROOT c = pred[] or(a, b) }
max_f64 { a = f64[] parameter(0) b = f64[] parameter(1) ROOT c = f64[] maximum(a, b) }
wrapped { a = f32[4,6] parameter(0) ROOT b = f32[2,6] reduce-scatter(a), channel_id=20, use_global_device_ids=true, replica_groups=[4,2]<=[2,4]T(1,0), dimensions={0}, to_apply=add_f32 }
body {
  s = (s32[], f32[4,6]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[4,6] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[4,6] all-reduce(x), channel_id=21, use_global_device_ids=true, replica_groups={{0,3,5},{1,2,4,6,7}}, to_apply=add_f32
  ROOT t = (s32[], f32[4,6]) tuple(j, y)
}
cond {
  s = (s32[], f32[4,6]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  three = s32[] constant(3)
  ROOT l = pred[] compare(i, three), direction=LT
}
ENTRY e {
  x0 = f32[4,6] parameter(0)
  p = u32[] partition-id()
  r = u32[] replica-id()
  eight = u32[] constant(4)
  rp = u32[] multiply(r, eight)
  id = u32[] add(rp, p)
  idf = f32[] convert(id)
  ids = f32[4,6] broadcast(idf), dimensions={}
  x = f32[4,6] add(x0, ids)
  b = bf16[4,6] convert(x)
  d = f64[4,6] convert(x)
  c = c64[4,6] complex(x, ids)
  si = s32[4,6] convert(x)
  fours = s4[4,6] convert(si)
  f8 = f8e4m3fn[4,6] convert(x)
  q = pred[4,6] compare(x, ids), direction=GT
  tr = f32[6,4] transpose(x), dimensions={1,0}
  ar = f32[4,6] all-reduce(x), replica_groups={}, to_apply=add_f32
  ar2 = bf16[4,6] all-reduce(b), channel_id=2, replica_groups={{0,1}}, to_apply=add_bf16
  ar3 = c64[4,6] all-reduce(c), channel_id=3, use_global_device_ids=true, replica_groups=[2,4]<=[8], to_apply=add_c64
  ar4 = s4[4,6] all-reduce(fours), channel_id=4, use_global_device_ids=true, replica_groups={{7,6,5,4,3,2,1,0}}, to_apply=add_s4
  ar5 = f8e4m3fn[4,6] all-reduce(f8), channel_id=5, use_global_device_ids=true, replica_groups=[4,2]<=[2,4]T(1,0), to_apply=add_f8
  ar6 = pred[4,6] all-reduce(q), channel_id=6, use_global_device_ids=true, replica_groups={{0,2,4,6},{1,3,5,7}}, to_apply=or_pred
  two = (f64[4,6], f64[4,6]) all-reduce(d, d), channel_id=7, use_global_device_ids=true, replica_groups=mesh['a'=2,'b'=4] {'b'}, to_apply=max_f64
  two0 = f64[4,6] get-tuple-element(two), index=0
  ag = f32[12,4] all-gather(tr), replica_groups={{1,0}}, dimensions={0}
  ag2 = bf16[4,48] all-gather(b), channel_id=8, use_global_device_ids=true, replica_groups={{0,1,2,3,4,5,6,7}}, dimensions={1}
  rs = f32[2,6] reduce-scatter(x), replica_groups={{0,1}}, dimensions={0}, to_apply=add_f32
  aa = f32[4,6] all-to-all(x), channel_id=9, replica_groups={{0,1,2,3}}, dimensions={0}
  at = (f32[4,6], f32[4,6]) all-to-all(x, ids), channel_id=10, replica_groups={{0,2},{1,3}}
  at1 = f32[4,6] get-tuple-element(at), index=1
  cp = s4[4,6] collective-permute(fours), channel_id=11, source_target_pairs={{0,1},{1,2},{2,3},{3,0}}
  cp2 = f32[4,6] collective-permute(x), source_target_pairs={{0,1}}
  cb = c64[4,6] collective-broadcast(c), channel_id=12, replica_groups={{2,0},{1,3}}
  ags = (f32[4,6], f32[8,6]) all-gather-start(x), replica_groups={{0,1}}, dimensions={0}
  ars = f32[4,6] all-reduce-start(x), channel_id=13, use_global_device_ids=true, replica_groups={{0,7},{1,6},{2,5},{3,4}}, to_apply=add_f32
  cps = (f32[4,6], f32[4,6]) collective-permute-start(x), channel_id=14, source_target_pairs={{0,3},{3,0}}
  rss = ((f32[4,6]), f32[2,6]) async-start(x), calls=wrapped
  cpd = f32[4,6] collective-permute-done(cps)
  ard = f32[4,6] all-reduce-done(ars)
  agd = f32[8,6] all-gather-done(ags)
  rsd = f32[2,6] async-done(rss)
  t = token[] after-all()
  rv = (f32[4,6], u32[], token[]) recv(t), channel_id=15, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1},{1,2},{2,3}}"}
  sd = (f32[4,6], u32[], token[]) send(x, t), channel_id=15, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1},{1,2},{2,3}}"}
  rvd = (f32[4,6], token[]) recv-done(rv), channel_id=15
  sdd = token[] send-done(sd), channel_id=15
  rvx = f32[4,6] get-tuple-element(rvd), index=0
  off = s64[4] constant({0, 1, 2, 3})
  ones = s64[4] constant({1, 1, 1, 1})
  mine = s64[] convert(p)
  mines = s64[4] broadcast(mine), dimensions={}
  ra = f32[4,6] ragged-all-to-all(x, ids, off, ones, mines, ones), channel_id=16, replica_groups={{0,1,2,3}}
  zero = s32[] constant(0)
  init = (s32[], f32[4,6]) tuple(zero, x)
  w = (s32[], f32[4,6]) while(init), condition=cond, body=body
  wx = f32[4,6] get-tuple-element(w), index=1
  ot = token[] outfeed(ids, t), outfeed_shape=f32[4,6]
  ROOT all = (f32[4,6], bf16[4,6], c64[4,6], s4[4,6], f8e4m3fn[4,6], pred[4,6], f64[4,6], f32[12,4], bf16[4,48], f32[2,6], f32[4,6], f32[4,6], s4[4,6], f32[4,6], c64[4,6], f32[4,6], f32[4,6], f32[8,6], f32[2,6], f32[4,6], f32[4,6], f32[4,6]) tuple(ar, ar2, ar3, ar4, ar5, ar6, two0, ag, ag2, rs, aa, at1, cp, cp2, cb, cpd, ard, agd, rsd, rvx, ra, wx)
}
)";
  return text;
}

const absl::string_view kParting = R"(HloModule parting, num_partitions=2
add { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] add(a, b) }
talk { x = s32[] parameter(0) ROOT y = s32[] all-reduce(x), channel_id=1, use_global_device_ids=true, replica_groups={{0,1}}, to_apply=add }
other { x = s32[] parameter(0) ROOT z = s32[] all-reduce(x), channel_id=2, use_global_device_ids=true, replica_groups={{0,1}}, to_apply=add }
ENTRY e {
  x = s32[] parameter(0)
  p = u32[] partition-id()
  zero = u32[] constant(0)
  first = pred[] compare(p, zero), direction=EQ
  ROOT r = s32[] conditional(first, x, x), true_computation=talk, false_computation=other
}
)";

const absl::string_view kSum = R"(HloModule sum, num_partitions=4
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
ENTRY e {
  x = f32[300,1000] parameter(0)
  ROOT r = f32[300,1000] all-reduce(x), channel_id=1, use_global_device_ids=true, replica_groups={{0,1,2,3}}, to_apply=add
}
)";

std::string Contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void MpiTest::SetUp() {
  CommandLineTest::SetUp();
  if (!HasMpi()) GTEST_SKIP() << "no mpirun, or built without MPI";
}

std::string MpiTest::Program() { return HLOSCOPE_PROGRAM; }

Outcome MpiTest::RunMpi(const std::string& arguments) const {
  const std::string out = directory_ + "/mpi.out", errors = directory_ + "/mpi.err";
  const int status =
      std::system(absl::StrCat("cd ", directory_, " && timeout 100 mpirun ", absl::StrJoin(MpirunOptions(), " "), " ",
                               arguments, " > ", out, " 2> ", errors, " < /dev/null")
                      .c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, Contents(out), Contents(errors)};
}

}  // namespace hloscope
