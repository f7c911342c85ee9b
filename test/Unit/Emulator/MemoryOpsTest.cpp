// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Every load, store and atomic of every address space, against the same
// operation on the host.

#include "TestDevice.h"

#include <cmath>
#include <functional>
#include <random>

using namespace rowmill::emulator;
using namespace rowmill::emulator::test;

namespace {

using Lane = std::array<uint32_t, 4>;

class MemoryOps : public testing::TestWithParam<const char *> {
protected:
  MemoryOps()
      : gpu("memory", GetParam()), memory(64 * 4), data(64 * 4), out(64 * 4) {}

  /// Runs a kernel on fresh contents; `fill` changes what is random.
  void run(const std::string &kernel,
           const std::function<void(unsigned, Lane &, Lane &)> &fill = {}) {
    std::mt19937 random(5);
    for (unsigned lane = 0; lane < 64; ++lane) {
      Lane m, d;
      for (uint32_t &word : m)
        word = uint32_t(random());
      for (uint32_t &word : d)
        word = uint32_t(random());
      if (fill)
        fill(lane, m, d);
      std::copy(m.begin(), m.end(), &memory[4 * lane]);
      std::copy(d.begin(), d.end(), &data[4 * lane]);
    }
    before = memory;
    std::fill(out.begin(), out.end(), 0);
    Kernarg args;
    for (auto *words : {&memory, &data, &out})
      args.add(gpu.map(*words, "words"));
    ASSERT_EQ(gpu.run(kernel, 1, 64, args), "") << kernel;
  }

  template <typename T>
  static T get(const std::vector<uint32_t> &words, unsigned lane,
               unsigned byte = 0) {
    T value;
    std::memcpy(&value, reinterpret_cast<const char *>(&words[4 * lane]) + byte,
                sizeof(T));
    return value;
  }

  TestDevice gpu;
  std::vector<uint32_t> memory, data, out, before;
};

const char *const spaces[] = {"global_", "flat_", "scratch_", "buffer_"};

TEST_P(MemoryOps, Loads) {
  struct {
    const char *name;
    std::function<uint32_t(const std::vector<uint32_t> &, unsigned)> word;
  } const ops[] = {
      {"load_ubyte", [](auto &m, unsigned l) { return get<uint8_t>(m, l, 1); }},
      {"load_sbyte", [](auto &m, unsigned l) { return get<int8_t>(m, l, 1); }},
      {"load_ushort",
       [](auto &m, unsigned l) { return get<uint16_t>(m, l, 1); }},
      {"load_sshort",
       [](auto &m, unsigned l) { return get<int16_t>(m, l, 1); }},
      {"load_dword",
       [](auto &m, unsigned l) { return get<uint32_t>(m, l, 1); }},
      // A half is loaded, the other kept.
      {"load_ubyte_d16",
       [](auto &m, unsigned l) { return 0xffff0000u | get<uint8_t>(m, l, 1); }},
      {"load_ubyte_d16_hi",
       [](auto &m, unsigned l) {
         return 0xffffu | uint32_t(get<uint8_t>(m, l, 1)) << 16;
       }},
      {"load_sbyte_d16",
       [](auto &m, unsigned l) {
         return 0xffff0000u | uint16_t(get<int8_t>(m, l, 1));
       }},
      {"load_sbyte_d16_hi",
       [](auto &m, unsigned l) {
         return 0xffffu | uint32_t(uint16_t(get<int8_t>(m, l, 1))) << 16;
       }},
      {"load_short_d16",
       [](auto &m, unsigned l) {
         return 0xffff0000u | get<uint16_t>(m, l, 1);
       }},
      {"load_short_d16_hi",
       [](auto &m, unsigned l) {
         return 0xffffu | uint32_t(get<uint16_t>(m, l, 1)) << 16;
       }},
  };
  for (std::string space : spaces)
    for (const auto &op : ops) {
      run(space + op.name);
      for (unsigned l = 0; l < 64; ++l)
        ASSERT_EQ(get<uint32_t>(out, l), op.word(before, l))
            << space << op.name << " lane " << l;
    }
}

TEST_P(MemoryOps, WideLoads) {
  for (std::string space : spaces)
    for (unsigned words : {2u, 3u, 4u}) {
      std::string name = space + "load_dwordx" + std::to_string(words);
      run(name);
      for (unsigned l = 0; l < 64; ++l)
        for (unsigned k = 0; k < words; ++k)
          ASSERT_EQ(get<uint32_t>(out, l, 4 * k),
                    get<uint32_t>(before, l, 4 * k + (words < 4 ? 1 : 0)))
              << name;
    }
}

TEST_P(MemoryOps, Stores) {
  struct {
    const char *name;
    unsigned at, bytes, from; // in memory, and in the data
  } const ops[] = {
      {"store_byte", 4, 1, 0},     {"store_byte_d16_hi", 4, 1, 2},
      {"store_short", 4, 2, 0},    {"store_short_d16_hi", 4, 2, 2},
      {"store_dword", 4, 4, 0},    {"store_dwordx2", 4, 8, 0},
      {"store_dwordx3", 4, 12, 0}, {"store_dwordx4", 0, 16, 0},
  };
  for (std::string space : spaces)
    for (const auto &op : ops) {
      run(space + op.name);
      std::vector<uint32_t> want = before;
      for (unsigned l = 0; l < 64; ++l)
        std::memcpy(reinterpret_cast<char *>(&want[4 * l]) + op.at,
                    reinterpret_cast<char *>(&data[4 * l]) + op.from, op.bytes);
      ASSERT_EQ(memory, want) << space << op.name;
    }
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

template <typename T>
using Operation = std::function<T(T old, T value)>;

template <typename T>
T increment(T old, T value) {
  return old >= value ? 0 : old + 1;
}
template <typename T>
T decrement(T old, T value) {
  return old == 0 || old > value ? value : old - 1;
}

/// The integer operations, by the names that global memory and LDS give them.
template <typename T>
std::map<std::string, Operation<T>> integerOps(bool isLds) {
  using S = std::make_signed_t<T>;
  bool isWide = sizeof(T) == 8;
  std::string u = isWide ? "_u64" : "_u32", i = isWide ? "_i64" : "_i32",
              b = isWide ? "_b64" : "_b32", x = isWide ? "_x2" : "";
  auto name = [&](const char *global, const std::string &lds) {
    return isLds ? lds : "atomic_" + std::string(global) + x;
  };
  std::map<std::string, Operation<T>> ops = {
      {name("add", "add" + u), [](T o, T v) { return o + v; }},
      {name("sub", "sub" + u), [](T o, T v) { return o - v; }},
      {name("smin", "min" + i),
       [](T o, T v) { return T(std::min(S(o), S(v))); }},
      {name("umin", "min" + u), [](T o, T v) { return std::min(o, v); }},
      {name("smax", "max" + i),
       [](T o, T v) { return T(std::max(S(o), S(v))); }},
      {name("umax", "max" + u), [](T o, T v) { return std::max(o, v); }},
      {name("and", "and" + b), [](T o, T v) { return o & v; }},
      {name("or", "or" + b), [](T o, T v) { return o | v; }},
      {name("xor", "xor" + b), [](T o, T v) { return o ^ v; }},
      {name("inc", "inc" + u), increment<T>},
      {name("dec", "dec" + u), decrement<T>},
  };
  if (isLds)
    ops["rsub" + u] = [](T o, T v) { return v - o; };
  else
    ops[name("swap", "")] = [](T, T v) { return v; };
  return ops;
}

/// "add_u32" with what was there returned: "add_rtn_u32".
std::string returning(const std::string &name) {
  size_t at = name.rfind('_');
  return name.substr(0, at) + "_rtn" + name.substr(at);
}

class Atomics : public MemoryOps {
protected:
  template <typename T>
  void check(const std::string &name, const Operation<T> &op, bool returns,
             const std::function<void(unsigned, Lane &, Lane &)> &fill = {}) {
    run(name, fill);
    for (unsigned l = 0; l < 64; ++l) {
      T old = get<T>(before, l), want = op(old, get<T>(data, l));
      T now = get<T>(memory, l);
      ASSERT_EQ(std::memcmp(&now, &want, sizeof(T)), 0)
          << name << " lane " << l << ": " << now << ", not " << want;
      if (returns) {
        T got = get<T>(out, l);
        ASSERT_EQ(std::memcmp(&got, &old, sizeof(T)), 0) << name;
      }
      // Its neighbours are left alone.
      ASSERT_EQ(get<uint64_t>(memory, l, 8), get<uint64_t>(before, l, 8));
    }
  }
  /// Numbers instead of bits; some lanes have equal ones.
  template <typename T>
  static void fillNumbers(unsigned lane, Lane &m, Lane &d) {
    T a = T(lane) - 20, b = T(lane % 7) * 9 - 30;
    std::memcpy(m.data(), &a, sizeof(T));
    std::memcpy(d.data(), &b, sizeof(T));
  }
  /// Counts that reach their limit in some lanes.
  static void fillCounts(unsigned lane, Lane &m, Lane &d) {
    m = {lane % 5, 0, m[2], m[3]};
    d = {lane % 7, 0, d[2], d[3]};
  }
};

TEST_P(Atomics, Integers) {
  for (std::string space : {"global_", "flat_", "buffer_"}) {
    for (auto &[name, op] : integerOps<uint32_t>(false)) {
      check<uint32_t>(space + name, op, true);
      check<uint32_t>(space + name, op, true, fillCounts);
    }
    for (auto &[name, op] : integerOps<uint64_t>(false)) {
      check<uint64_t>(space + name, op, true);
      check<uint64_t>(space + name, op, true, fillCounts);
    }
  }
}

TEST_P(Atomics, IntegersInLds) {
  for (auto &[name, op] : integerOps<uint32_t>(true)) {
    check<uint32_t>("ds_" + name, op, false);
    check<uint32_t>("ds_" + returning(name), op, true, fillCounts);
  }
  for (auto &[name, op] : integerOps<uint64_t>(true)) {
    check<uint64_t>("ds_" + name, op, false);
    check<uint64_t>("ds_" + returning(name), op, true, fillCounts);
  }
  check<uint32_t>(
      "ds_wrxchg_rtn_b32", [](auto, auto v) { return v; }, true);
  check<uint64_t>(
      "ds_wrxchg_rtn_b64", [](auto, auto v) { return v; }, true);
}

TEST_P(Atomics, Floats) {
  auto fillF32 = fillNumbers<float>;
  auto fillF64 = fillNumbers<double>;
  Operation<float> addF32 = std::plus<float>();
  Operation<double> addF64 = std::plus<double>();
  Operation<double> minF64 = [](double a, double b) { return std::fmin(a, b); };
  Operation<double> maxF64 = [](double a, double b) { return std::fmax(a, b); };
  for (std::string space :
       {"global_atomic_", "flat_atomic_", "buffer_atomic_"}) {
    check<float>(space + "add_f32", addF32, true, fillF32);
    check<double>(space + "add_f64", addF64, true, fillF64);
    check<double>(space + "min_f64", minF64, true, fillF64);
    check<double>(space + "max_f64", maxF64, true, fillF64);
  }
  Operation<float> minF32 = [](float a, float b) { return std::fmin(a, b); };
  Operation<float> maxF32 = [](float a, float b) { return std::fmax(a, b); };
  for (bool returns : {false, true}) {
    auto name = [&](const std::string &op) {
      return "ds_" + (returns ? returning(op) : op);
    };
    check<float>(name("add_f32"), addF32, returns, fillF32);
    check<float>(name("min_f32"), minF32, returns, fillF32);
    check<float>(name("max_f32"), maxF32, returns, fillF32);
    check<double>(name("add_f64"), addF64, returns, fillF64);
    check<double>(name("min_f64"), minF64, returns, fillF64);
    check<double>(name("max_f64"), maxF64, returns, fillF64);
  }
}

TEST_P(Atomics, PairsOfHalves) {
  // 1.5 and -2 in both formats; 0.25 and 4 are added.
  auto fillPair = [](uint32_t m, uint32_t d) {
    return [=](unsigned, Lane &memory, Lane &data) {
      memory[0] = m;
      data[0] = d;
    };
  };
  auto constant = [](uint32_t want) -> Operation<uint32_t> {
    return [=](uint32_t, uint32_t) { return want; };
  };
  auto f16 = fillPair(0xc0003e00, 0x44003400);
  auto bf16 = fillPair(0xc0003fc0, 0x40803e80);
  for (std::string space :
       {"global_atomic_", "flat_atomic_", "buffer_atomic_", "ds_"}) {
    check<uint32_t>(space + "pk_add_f16", constant(0x40003f00), space != "ds_",
                    f16);
    // gfx942 has no such buffer instruction.
    if (space != "buffer_atomic_" || std::string(GetParam()) == "gfx950")
      check<uint32_t>(space + "pk_add_bf16", constant(0x40003fe0),
                      space != "ds_", bf16);
  }
  check<uint32_t>("ds_pk_add_rtn_f16", constant(0x40003f00), true, f16);
  check<uint32_t>("ds_pk_add_rtn_bf16", constant(0x40003fe0), true, bf16);
}

TEST_P(Atomics, CompareAndSwap) {
  // Odd lanes find what they expect. Global: the new value first, then the
  // expected one; LDS: the other way round.
  auto fill = [](unsigned words, bool isLds) {
    return [=](unsigned lane, Lane &m, Lane &d) {
      unsigned expected = isLds ? 0 : words;
      for (unsigned k = 0; k < words; ++k)
        d[expected + k] = lane % 2 ? m[k] : ~m[k];
    };
  };
  auto check = [&](const std::string &name, unsigned words, bool isLds,
                   bool returns) {
    run(name, fill(words, isLds));
    for (unsigned l = 0; l < 64; ++l)
      for (unsigned k = 0; k < words; ++k) {
        uint32_t fresh = data[4 * l + (isLds ? words : 0) + k];
        ASSERT_EQ(memory[4 * l + k], l % 2 ? fresh : before[4 * l + k])
            << name << " lane " << l;
        if (returns)
          ASSERT_EQ(out[4 * l + k], before[4 * l + k]) << name;
      }
  };
  for (std::string space : {"global_", "flat_", "buffer_"}) {
    check(space + "atomic_cmpswap", 1, false, true);
    check(space + "atomic_cmpswap_x2", 2, false, true);
  }
  check("ds_cmpst_b32", 1, true, false);
  check("ds_cmpst_rtn_b32", 1, true, true);
  check("ds_cmpst_b64", 2, true, false);
  check("ds_cmpst_rtn_b64", 2, true, true);
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

TEST_P(MemoryOps, HalvesFromLds) {
  auto byte = [&](unsigned l) { return get<uint8_t>(before, l, 2); };
  auto word = [&](unsigned l) { return uint32_t(get<uint16_t>(before, l, 2)); };
  struct {
    const char *name;
    std::function<uint32_t(unsigned)> want;
  } const ops[] = {
      {"ds_read_u8_d16", [&](unsigned l) { return 0xffff0000u | byte(l); }},
      {"ds_read_u8_d16_hi",
       [&](unsigned l) { return 0xffffu | uint32_t(byte(l)) << 16; }},
      {"ds_read_i8_d16",
       [&](unsigned l) { return 0xffff0000u | uint16_t(int8_t(byte(l))); }},
      {"ds_read_i8_d16_hi",
       [&](unsigned l) {
         return 0xffffu | uint32_t(uint16_t(int8_t(byte(l)))) << 16;
       }},
      {"ds_read_u16_d16", [&](unsigned l) { return 0xffff0000u | word(l); }},
      {"ds_read_u16_d16_hi",
       [&](unsigned l) { return 0xffffu | word(l) << 16; }},
  };
  for (const auto &op : ops) {
    run(op.name);
    for (unsigned l = 0; l < 64; ++l)
      ASSERT_EQ(get<uint32_t>(out, l), op.want(l)) << op.name << " lane " << l;
  }
}

TEST_P(MemoryOps, ScalarLoadsThroughADescriptor) {
  struct {
    const char *name;
    unsigned last;
  } const ops[] = {{"s_buffer_load_dword", 1},
                   {"s_buffer_load_dwordx2", 2},
                   {"s_buffer_load_dwordx4", 4},
                   {"s_buffer_load_dwordx8", 8}};
  for (const auto &op : ops) {
    run(op.name);
    EXPECT_EQ(out[0], before[1]) << op.name;
    EXPECT_EQ(out[1], before[op.last]) << op.name;
  }
}

TEST_P(MemoryOps, HintsDoNothing) {
  run("hints");
  EXPECT_EQ(out[0], 7u);
  EXPECT_EQ(memory, before);
}

TEST_P(MemoryOps, Branches) {
  run("branches");
  EXPECT_EQ(out[0], 63u);
}

INSTANTIATE_TEST_SUITE_P(Archs, MemoryOps, testing::Values("gfx942", "gfx950"));
INSTANTIATE_TEST_SUITE_P(Archs, Atomics, testing::Values("gfx942", "gfx950"));

} // namespace
