// SPDX-License-Identifier: Apache-2.0
// CHLO operations without an opcode of HLO, as instructions (docs/stablehlo.md 4).
#include <cmath>
#include <limits>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "stablehlo/constants.h"
#include "stablehlo/translator.h"

namespace hloscope::stablehlo {

// Formulas over arrays of one shape; each operation is an instruction of the operation that is expanded.
class ChloExpansion {
 public:
  ChloExpansion(Translator& translator, Translator::Site& site, Shape shape)
      : translator_(translator), site_(site), shape_(std::move(shape)) {}

  HloRef Unary(absl::string_view opcode, HloRef x) { return translator_.Emit(site_, opcode, x->shape, {x}); }
  HloRef Binary(absl::string_view opcode, HloRef a, HloRef b) {
    return translator_.Emit(site_, opcode, a->shape, {a, b});
  }
  HloRef Add(HloRef a, HloRef b) { return Binary("add", a, b); }
  HloRef Sub(HloRef a, HloRef b) { return Binary("subtract", a, b); }
  HloRef Mul(HloRef a, HloRef b) { return Binary("multiply", a, b); }
  HloRef Div(HloRef a, HloRef b) { return Binary("divide", a, b); }
  HloRef Compare(absl::string_view direction, HloRef a, HloRef b) {
    Shape shape = a->shape;
    shape.set_element_type(ElementType::kPred);
    return translator_.Emit(site_, "compare", shape, {a, b}, absl::StrCat(", direction=", direction));
  }
  HloRef Select(HloRef p, HloRef a, HloRef b) { return translator_.Emit(site_, "select", a->shape, {p, a, b}); }
  HloRef Convert(HloRef x, ElementType type, absl::string_view opcode = "convert") {
    if (x->shape.element_type() == type) return x;
    Shape shape = x->shape;
    shape.set_element_type(type);
    return translator_.Emit(site_, opcode, shape, {x});
  }
  HloRef Text(absl::string_view number) { return translator_.Splat(site_, shape_, number); }
  HloRef Number(double number) { return Text(NumberText(number)); }
  // Horner, first coefficient is the highest power.
  HloRef Polynomial(absl::Span<const double> coefficients, HloRef x) {
    HloRef sum = Number(coefficients[0]);
    for (const double c : coefficients.subspan(1)) sum = Add(Mul(sum, x), Number(c));
    return sum;
  }
  HloRef Chebyshev(absl::Span<const double> coefficients, HloRef t) {
    HloRef b0 = Number(0), b1 = b0, b2 = b0;
    for (const double c : coefficients) {
      b2 = b1;
      b1 = b0;
      b0 = Add(Sub(Mul(t, b1), b2), Number(c));
    }
    return Mul(Sub(b0, b2), Number(0.5));
  }
  bool IsDouble() const { return shape_.element_type() == ElementType::kF64; }

  HloRef ErfInv(HloRef x);
  HloRef Erfc(HloRef x);
  HloRef LanczosOrDigamma(HloRef x, bool digamma);
  HloRef Zeta(HloRef x, HloRef q);
  HloRef Polygamma(HloRef n, HloRef x);
  HloRef BesselI1e(HloRef x);
  HloRef NextAfter(HloRef x, HloRef y);
  HloRef Square(HloRef x);

 private:
  static std::string NumberText(double number) {
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
    const std::string text = absl::StrFormat("%.17g", number);
    return absl::StrContains(text, '.') || absl::StrContains(text, 'e') ? text : text + ".0";
  }

  Translator& translator_;
  Translator::Site& site_;
  Shape shape_;
};

HloRef ChloExpansion::ErfInv(HloRef x) {
  static constexpr double kNear[] = {2.81022636e-8,  3.43273939e-7,  -3.5233877e-6, -4.39150654e-6, 0.00021858087,
                                     -0.00125372503, -0.00417768164, 0.246640727,   1.50140941};
  static constexpr double kFar[] = {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                                    -0.0076224613,   0.00943887047,  1.00167406,    2.83297682};
  const HloRef w = Unary("negate", Unary("log-plus-one", Unary("negate", Mul(x, x))));
  const HloRef near = Polynomial(kNear, Sub(w, Number(2.5)));
  const HloRef far = Polynomial(kFar, Sub(Unary("sqrt", w), Number(3)));
  HloRef result = Mul(Select(Compare("LT", w, Number(5)), near, far), x);
  for (int step = 0; IsDouble() && step < 2; ++step) {
    const HloRef error = Sub(Unary("erf", result), x);
    const HloRef slope = Mul(Number(0.88622692545275801365), Unary("exponential", Mul(result, result)));
    result = Sub(result, Mul(error, slope));
  }
  const HloRef infinite = Mul(x, Number(std::numeric_limits<double>::infinity()));
  return Select(Compare("EQ", Unary("abs", x), Number(1)), infinite, result);
}

HloRef ChloExpansion::Erfc(HloRef x) {
  const HloRef a = Unary("abs", x), minus_square = Unary("negate", Mul(x, x));
  const HloRef inner = Sub(Number(1), Unary("erf", x));
  HloRef outer;
  if (IsDouble()) {
    static constexpr double kP[] = {2.46196981473530512524e-10, 5.64189564831068821977e-1, 7.46321056442269912687,
                                    4.86371970985681366614e1,   1.96520832956077098242e2,  5.26445194995477358631e2,
                                    9.34528527171957607540e2,   1.02755188689515710272e3,  5.57535335369399327526e2};
    static constexpr double kQ[] = {1,
                                    1.32281951154744992508e1,
                                    8.67072140885989742329e1,
                                    3.54937778887819891062e2,
                                    9.75708501743205489753e2,
                                    1.82390916687909736289e3,
                                    2.24633760818710981792e3,
                                    1.65666309194161350182e3,
                                    5.57535340817727675546e2};
    static constexpr double kR[] = {5.64189583547755073984e-1, 1.27536670759978104416, 5.01905042251180477414,
                                    6.16021097993053585195,    7.40974269950448939160, 2.97886665372100240670};
    static constexpr double kS[] = {1,
                                    2.26052863220117276590,
                                    9.39603524938001434673,
                                    1.20489539808096656605e1,
                                    1.70814450747565897222e1,
                                    9.60896809063285878198,
                                    3.36907645100081516050};
    const HloRef quotient = Select(Compare("LT", a, Number(8)), Div(Polynomial(kP, a), Polynomial(kQ, a)),
                                   Div(Polynomial(kR, a), Polynomial(kS, a)));
    outer = Mul(Unary("exponential", minus_square), quotient);
  } else {
    static constexpr double kNear[] = {2.326819970068386e-2,  -1.387039388740657e-1, 3.687424674597105e-1,
                                       -5.824733027278666e-1, 6.210004621745983e-1,  -4.944515323274145e-1,
                                       3.404879937665872e-1,  -2.741127028184656e-1, 5.638259427386472e-1};
    static constexpr double kFar[] = {-10.47766399936249, 12.97719955372516,  -7.495518717768503,  2.92101901921079,
                                      -1.0152652792027,   0.4218463358204948, -0.2820767439740514, 0.5641895067754075};
    const HloRef z = Div(Number(1), Mul(x, x));
    const HloRef polynomial = Select(Compare("LT", a, Number(2)), Polynomial(kNear, z), Polynomial(kFar, z));
    outer = Mul(Div(Unary("exponential", minus_square), a), polynomial);
  }
  const HloRef tiny = Compare("LT", minus_square, Number(IsDouble() ? -709.78271289338397 : -88.72283905206835));
  outer = Select(tiny, Number(0), outer);
  outer = Select(Compare("LT", x, Number(0)), Sub(Number(2), outer), outer);
  return Select(Compare("LT", a, Number(1)), inner, outer);
}

// lgamma, or digamma, by Lanczos' series with g = 7.
HloRef ChloExpansion::LanczosOrDigamma(HloRef x, bool digamma) {
  static constexpr double kBase = 0.99999999999980993227684700473478;
  static constexpr double kC[] = {676.520368121885098567009190444019, -1259.13921672240287047156078755283,
                                  771.3234287776530788486528258894,   -176.61502916214059906584551354,
                                  12.507343278686904814458936853,     -0.13857109526572011689554707,
                                  9.984369578019570859563e-6,         1.50563273514931155834e-7};
  const HloRef reflects = Compare("LT", x, Number(0.5));
  const HloRef z = Select(reflects, Unary("negate", x), Sub(x, Number(1)));
  HloRef a = Number(kBase), slope = Number(0);
  for (size_t k = 0; k < std::size(kC); ++k) {
    const HloRef base = Add(z, Number(static_cast<double>(k + 1)));
    a = Add(a, Div(Number(kC[k]), base));
    if (digamma) slope = Sub(slope, Div(Number(kC[k]), Mul(base, base)));
  }
  const HloRef t = Add(z, Number(7.5));
  const HloRef log_t = Add(Number(std::log(7.5)), Unary("log-plus-one", Div(z, Number(7.5))));
  const HloRef infinity = Number(std::numeric_limits<double>::infinity());
  if (digamma) {
    const HloRef value = Sub(Add(log_t, Div(slope, a)), Div(Number(7), t));
    const HloRef r = Add(x, Unary("abs", Unary("floor", Add(x, Number(0.5)))));
    const HloRef angle = Mul(Number(M_PI), r);
    const HloRef reflected = Sub(value, Div(Mul(Number(M_PI), Unary("cosine", angle)), Unary("sine", angle)));
    const HloRef result = Select(reflects, reflected, value);
    const HloRef is_pole = Binary("and", Compare("LE", x, Number(0)), Compare("EQ", x, Unary("floor", x)));
    return Select(is_pole, Number(std::numeric_limits<double>::quiet_NaN()), result);
  }
  const HloRef value =
      Add(Add(Number((std::log(2) + std::log(M_PI)) / 2), Mul(Sub(Add(z, Number(0.5)), Div(t, log_t)), log_t)),
          Unary("log", a));
  const HloRef size = Unary("abs", x);
  HloRef part = Sub(size, Unary("floor", size));
  part = Select(Compare("GT", part, Number(0.5)), Sub(Number(1), part), part);
  const HloRef log_sine = Unary("log", Unary("abs", Unary("sine", Mul(Number(M_PI), part))));
  const HloRef reflected = Select(Compare("LT", Unary("abs", log_sine), infinity),
                                  Sub(Sub(Number(std::log(M_PI)), log_sine), value), Unary("negate", log_sine));
  return Select(Compare("EQ", size, infinity), infinity, Select(reflects, reflected, value));
}

HloRef ChloExpansion::Zeta(HloRef x, HloRef q) {
  static constexpr double kC[] = {-7.1661652561756670113e18,
                                  1.8152105401943546773e17,
                                  -4.5979787224074726105e15,
                                  1.1646782814350067249e14,
                                  -2.950130727918164224e12,
                                  7.47242496e10,
                                  -1.8924375803183791606e9,
                                  47900160,
                                  -1209600,
                                  30240,
                                  -720};
  const HloRef minus_x = Unary("negate", x);
  HloRef a = q, sum = Binary("power", q, minus_x);
  for (int k = 1; k < 10; ++k) {
    a = Add(a, Number(1));
    sum = Add(sum, Binary("power", a, minus_x));
  }
  a = Add(a, Number(1));
  const HloRef a_power = Binary("power", a, minus_x);
  const HloRef inverse_square = Div(Number(1), Mul(a, a));
  HloRef h = Number(0);
  for (int i = 0; i <= 10; ++i) {
    const HloRef product = Mul(Add(x, Number(22 - 2 * i)), Add(x, Number(21 - 2 * i)));
    h = Mul(Mul(product, inverse_square), Add(h, Number(1 / kC[i])));
  }
  sum = Add(sum, Div(Mul(a_power, a), Sub(x, Number(1))));
  sum = Add(sum, Mul(a_power, Add(Number(0.5), Mul(Div(x, a), Add(Number(1.0 / 12), h)))));
  const HloRef nan = Number(std::numeric_limits<double>::quiet_NaN());
  const HloRef infinity = Number(std::numeric_limits<double>::infinity());
  const HloRef is_even = Compare("EQ", Binary("remainder", x, Number(2)), Number(0));
  const HloRef at_integer = Select(is_even, infinity, nan);
  const HloRef not_positive =
      Select(Compare("EQ", q, Unary("floor", q)), at_integer, Select(Compare("EQ", x, Unary("floor", x)), sum, nan));
  sum = Select(Compare("LE", q, Number(0)), not_positive, sum);
  sum = Select(Compare("LT", x, Number(1)), nan, sum);
  return Select(Compare("EQ", x, Number(1)), infinity, sum);
}

HloRef ChloExpansion::Polygamma(HloRef n, HloRef x) {
  const HloRef next = Add(n, Number(1));
  const HloRef sign = Sub(Mul(Number(2), Binary("remainder", n, Number(2))), Number(1));
  const HloRef value = Mul(Mul(sign, Unary("exponential", LanczosOrDigamma(next, false))), Zeta(next, x));
  const HloRef result = Select(Compare("EQ", n, Number(0)), LanczosOrDigamma(x, true), value);
  const HloRef is_natural = Binary("and", Compare("EQ", n, Unary("floor", n)), Compare("GE", n, Number(0)));
  return Select(is_natural, result, Number(std::numeric_limits<double>::quiet_NaN()));
}

HloRef ChloExpansion::BesselI1e(HloRef x) {
  static constexpr double kA[] = {9.38153738649577e-9, -4.44505912879633e-8, 2.00329475355214e-7, -8.56872026469545e-7,
                                  3.47025130813768e-6, -1.32731636560394e-5, 4.78156510755005e-5, -1.61760815825897e-4,
                                  5.12285956168576e-4, -1.51357245063125e-3, 4.15642294431289e-3, -1.05640848946262e-2,
                                  2.47264490306265e-2, -5.2945981208095e-2,  1.02643658689847e-1, -1.76416518357834e-1,
                                  2.52587186443634e-1};
  static constexpr double kB[] = {-3.83538038596424e-9, -2.63146884688952e-8, -2.51223623787021e-7,
                                  -3.88256480887769e-6, -1.10588938762624e-4, -9.76109749136147e-3,
                                  7.7857623501828e-1};
  const HloRef z = Unary("abs", x);
  const HloRef near = Mul(z, Chebyshev(kA, Sub(Mul(z, Number(0.5)), Number(2))));
  const HloRef far = Div(Chebyshev(kB, Sub(Div(Number(32), z), Number(2))), Unary("sqrt", z));
  return Mul(Unary("sign", x), Select(Compare("LE", z, Number(8)), near, far));
}

HloRef ChloExpansion::NextAfter(HloRef x, HloRef y) {
  const ElementType type = shape_.element_type();
  const int width = 8 * StorageBytes(type);
  const ElementType bits = width == 64   ? ElementType::kS64
                           : width == 32 ? ElementType::kS32
                           : width == 16 ? ElementType::kS16
                                         : ElementType::kS8;
  const HloRef x_bits = Convert(x, bits, "bitcast-convert"), y_bits = Convert(y, bits, "bitcast-convert");
  ChloExpansion integers(translator_, site_, x_bits->shape);
  const HloRef zero = integers.Text("0"), one = integers.Text("1");
  const HloRef sign = integers.Text(width == 64 ? "-9223372036854775808" : absl::StrCat(-(int64_t{1} << (width - 1))));
  const HloRef rest =
      integers.Text(width == 64 ? "9223372036854775807" : absl::StrCat((int64_t{1} << (width - 1)) - 1));
  const HloRef x_size = Binary("and", x_bits, rest), y_size = Binary("and", y_bits, rest);
  const HloRef y_sign = Binary("and", y_bits, sign), x_sign = Binary("and", x_bits, sign);
  const HloRef down = Binary("or", Compare("GT", x_size, y_size), Compare("NE", x_sign, y_sign));
  const HloRef stepped = Add(x_bits, Select(down, integers.Text("-1"), one));
  const HloRef smallest = Binary("or", y_sign, one);
  HloRef result = Select(Compare("EQ", x_size, zero), Select(Compare("EQ", y_size, zero), y_bits, smallest), stepped);
  result = Select(Compare("EQ", x_bits, y_bits), y_bits, result);
  const HloRef is_nan = Binary("or", Compare("NE", x, x), Compare("NE", y, y));
  return Select(is_nan, Number(std::numeric_limits<double>::quiet_NaN()), Convert(result, type, "bitcast-convert"));
}

HloRef ChloExpansion::Square(HloRef x) {
  if (!IsComplex(shape_.element_type())) return Mul(x, x);
  const ElementType part = ComplexComponent(shape_.element_type());
  const HloRef re = Convert(x, part, "real"), im = Convert(x, part, "imag");
  ChloExpansion parts(translator_, site_, re->shape);
  const HloRef size = Unary("abs", re);
  const HloRef is_finite = translator_.Emit(site_, "is-finite", Compare("EQ", re, re)->shape, {re});
  const HloRef cancels = Binary("and", is_finite, Compare("EQ", size, Unary("abs", im)));
  const HloRef real = Select(cancels, parts.Number(0), Mul(Sub(re, im), Add(re, im)));
  return translator_.Emit(site_, "complex", shape_, {real, Mul(parts.Number(2), Mul(re, im))});
}

// --- Operations ---

bool Translator::TranslateChlo(Site& site) {
  const absl::string_view name = site.op.short_name;
  if (site.operands.empty() || !NeedsResults(site, 1))
    return Fail(site.op, DiagnosticKind::kShloNoHlo, "it needs operands and one result");
  const ElementType given = site.operands[0]->shape.element_type();
  Shape shape = site.operands[0]->shape;
  const bool keeps_type =
      name == "next_after" || name == "conj" || name == "square" || absl::StartsWith(name, "is_") || name == "atan";
  const bool is_narrow = IsFloat(given) && StorageBytes(given) < 4;
  if (is_narrow && !keeps_type) shape.set_element_type(ElementType::kF32);
  ChloExpansion e(*this, site, shape);
  std::vector<HloRef> x;
  for (const HloRef operand : site.operands) x.push_back(e.Convert(operand, shape.element_type()));
  const bool is_binary = name == "next_after" || name == "zeta" || name == "polygamma";
  if (!NeedsOperands(site, is_binary ? 2 : 1)) return false;
  const double infinity = std::numeric_limits<double>::infinity();
  HloRef result = nullptr;
  if (name == "conj") {
    if (!IsComplex(given)) {
      SetResult(site, 0, x[0]);
      return true;
    }
    const ElementType part = ComplexComponent(given);
    result =
        Emit(site, "complex", shape, {e.Convert(x[0], part, "real"), e.Unary("negate", e.Convert(x[0], part, "imag"))});
  } else if (name == "square") {
    result = e.Square(x[0]);
  } else if (name == "is_inf" || name == "is_pos_inf" || name == "is_neg_inf") {
    const HloRef value = name == "is_inf" ? e.Unary("abs", x[0]) : x[0];
    result = e.Compare("EQ", value, e.Number(name == "is_neg_inf" ? -infinity : infinity));
  } else if (name == "atan" && IsComplex(given)) {
    const HloRef i = e.Text("(0, 1)"), minus_i = e.Text("(0, -1)");
    result = e.Mul(minus_i, e.Unary("atanh", e.Mul(i, x[0])));
  } else if (name == "atan") {
    result = e.Binary("atan2", x[0], e.Number(1));
  } else if (name == "erf_inv") {
    result = e.ErfInv(x[0]);
  } else if (name == "erfc") {
    result = e.Erfc(x[0]);
  } else if (name == "lgamma" || name == "digamma") {
    result = e.LanczosOrDigamma(x[0], name == "digamma");
  } else if (name == "bessel_i1e") {
    result = e.BesselI1e(x[0]);
  } else if (name == "next_after") {
    result = e.NextAfter(x[0], x[1]);
  } else if (name == "zeta") {
    result = e.Zeta(x[0], x[1]);
  } else if (name == "polygamma") {
    result = e.Polygamma(x[0], x[1]);
  } else {
    return Fail(site.op, DiagnosticKind::kShloNoHlo, "nothing in HLO computes this");
  }
  SetResult(site, 0, e.Convert(result, site.op.results[0]->type->shape.element_type()));
  return true;
}

bool Translator::TranslateConstantLike(Site& site) {
  const AttributeValue* const value = site.op.Find("value");
  if (value == nullptr || !NeedsResults(site, 1)) return false;
  const Shape scalar = Shape::Scalar(site.op.results[0]->type->shape.element_type());
  const std::optional<ConstantText> text = HloTextOfConstant(program_, *value, scalar, sink_);
  if (!text.has_value()) return false;
  SetResult(site, 0, Splat(site, site.op.results[0]->type->shape, text->text));
  return true;
}

// chlo.broadcast_X: the operands are broadcast to the result's shape, as NumPy does, then X is applied.
bool Translator::TranslateBroadcasting(Site& site) {
  if (!NeedsResults(site, 1)) return false;
  const Shape& shape = site.op.results[0]->type->shape;
  const std::vector<int64_t> given = Integers(site.op, "broadcast_dimensions");
  for (HloRef& operand : site.operands) {
    const int64_t rank = operand->shape.rank();
    std::vector<int64_t> sizes, kept;
    bool is_same = rank == shape.rank();
    for (int64_t d = 0; d < rank; ++d) {
      const int64_t to = rank < shape.rank() && static_cast<int64_t>(given.size()) == rank
                             ? given[static_cast<size_t>(d)]
                             : shape.rank() - rank + d;
      if (to < 0 || to >= shape.rank())
        return Fail(site.op, DiagnosticKind::kShloType, "the operands do not broadcast to the result");
      is_same = is_same && operand->shape.dimension(d) == shape.dimension(to);
      if (operand->shape.dimension(d) == 1 && shape.dimension(to) != 1) continue;
      sizes.push_back(operand->shape.dimension(d));
      kept.push_back(to);
    }
    if (is_same) continue;
    const ElementType type = operand->shape.element_type();
    if (static_cast<int64_t>(kept.size()) < rank) operand = Emit(site, "reshape", Shape::Array(type, sizes), {operand});
    operand = Broadcast(site, operand, Shape::Array(type, shape.dimensions()), kept);
  }
  const absl::string_view plain = absl::StripPrefix(site.op.short_name, "broadcast_");
  Operation inner = site.op;
  inner.short_name = plain;
  inner.dialect = plain == "next_after" || plain == "polygamma" || plain == "zeta" ? "chlo" : "stablehlo";
  Site applied{inner, site.frame, site.operands};
  return HandleOperation(applied);
}

}  // namespace hloscope::stablehlo
