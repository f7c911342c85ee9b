// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Sums the counters of a launch into what callers read.

#include "Workgroup.h"

#include <algorithm>

using namespace llvm;

namespace rowmill::emulator {

StringRef className(InstructionClass cls) {
  switch (cls) {
  case InstructionClass::VALU:
    return "valu";
  case InstructionClass::Transcendental:
    return "transcendental";
  case InstructionClass::Conversion:
    return "conversion";
  case InstructionClass::CrossLane:
    return "cross_lane";
  case InstructionClass::Matrix:
    return "matrix";
  case InstructionClass::SALU:
    return "salu";
  case InstructionClass::ScalarMemory:
    return "scalar_memory";
  case InstructionClass::Branch:
    return "branch";
  case InstructionClass::Wait:
    return "wait";
  case InstructionClass::Barrier:
    return "barrier";
  case InstructionClass::VectorLoad:
    return "vector_load";
  case InstructionClass::VectorStore:
    return "vector_store";
  case InstructionClass::VectorAtomic:
    return "vector_atomic";
  case InstructionClass::LDS:
    return "lds";
  case InstructionClass::Other:
  case InstructionClass::Count:
    break;
  }
  return "other";
}

static bool isVector(InstructionClass cls) {
  switch (cls) {
  case InstructionClass::SALU:
  case InstructionClass::ScalarMemory:
  case InstructionClass::Branch:
  case InstructionClass::Wait:
  case InstructionClass::Barrier:
  case InstructionClass::Other:
    return false;
  default:
    return true;
  }
}

static void sortOpcodes(std::vector<Stats::Opcode> &opcodes) {
  std::sort(opcodes.begin(), opcodes.end(),
            [](const Stats::Opcode &a, const Stats::Opcode &b) {
              return a.waves != b.waves ? a.waves > b.waves : a.name < b.name;
            });
}

void collectStats(const Program &program, ArrayRef<Counters> counters,
                  Stats &stats) {
  stats.opcodes.resize(program.opcodeNames.size());
  for (size_t i = 0; i < program.opcodeNames.size(); ++i)
    stats.opcodes[i].name = program.opcodeNames[i];
  for (size_t i = 0; i < program.code.size(); ++i) {
    uint64_t waves = 0, lanes = 0;
    for (const Counters &c : counters) {
      waves += c.waves[i];
      lanes += c.lanes[i];
    }
    if (waves == 0)
      continue;
    const Instruction &inst = program.code[i];
    if (!isVector(inst.cls))
      lanes = 0;
    stats.instructions += waves;
    stats.laneInstructions += lanes;
    stats.byClass[size_t(inst.cls)] += waves;
    stats.opcodes[program.opcodeOf[i]].waves += waves;
    stats.opcodes[program.opcodeOf[i]].lanes += lanes;
    uint64_t bytes = lanes * inst.laneBytes;
    if (inst.cls == InstructionClass::VectorLoad)
      stats.globalLoadBytes += bytes;
    else if (inst.cls == InstructionClass::VectorStore)
      stats.globalStoreBytes += bytes;
    else if (inst.cls == InstructionClass::LDS)
      stats.ldsBytes += bytes;
  }
  auto unused = [](const Stats::Opcode &o) { return o.waves == 0; };
  stats.opcodes.erase(
      std::remove_if(stats.opcodes.begin(), stats.opcodes.end(), unused),
      stats.opcodes.end());
  sortOpcodes(stats.opcodes);
}

void Stats::add(const Stats &other) {
  workgroups += other.workgroups;
  waves += other.waves;
  instructions += other.instructions;
  laneInstructions += other.laneInstructions;
  for (size_t i = 0; i < byClass.size(); ++i)
    byClass[i] += other.byClass[i];
  globalLoadBytes += other.globalLoadBytes;
  globalStoreBytes += other.globalStoreBytes;
  ldsBytes += other.ldsBytes;
  for (const Opcode &opcode : other.opcodes) {
    auto known = llvm::find_if(
        opcodes, [&](const Opcode &o) { return o.name == opcode.name; });
    if (known == opcodes.end()) {
      opcodes.push_back(opcode);
      continue;
    }
    known->waves += opcode.waves;
    known->lanes += opcode.lanes;
  }
  sortOpcodes(opcodes);
}

} // namespace rowmill::emulator
