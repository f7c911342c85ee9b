// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Tests of the arch table.

#include "rowmill/Target/Arch.h"
#include "gtest/gtest.h"

using namespace rowmill;

TEST(ArchTest, FindsEveryArchByItsName) {
  ASSERT_FALSE(getArchs().empty());
  for (const Arch &arch : getArchs())
    EXPECT_EQ(lookupArch(arch.name), &arch);
}

TEST(ArchTest, KnowsNoOtherNames) {
  for (const char *name :
       {"", "gfx90a", "gfx9", "gfx9500", "GFX950", "gfx950 "})
    EXPECT_EQ(lookupArch(name), nullptr) << name;
}

TEST(ArchTest, NamesAllInMessages) {
  EXPECT_EQ(knownArchNames(), "gfx942, gfx950, gfx1250");
}

// What the three differ in; passes choose by it.
TEST(ArchTest, HoldsTheCapabilities) {
  const Arch &gfx942 = *lookupArch("gfx942");
  EXPECT_EQ(gfx942.waveSize, 64u);
  EXPECT_FALSE(gfx942.fp8Ocp);
  EXPECT_EQ(gfx942.fp4Convert, Fp4Convert::None);
  EXPECT_FALSE(gfx942.hasPermlaneSwap);

  const Arch &gfx950 = *lookupArch("gfx950");
  EXPECT_EQ(gfx950.waveSize, 64u);
  EXPECT_TRUE(gfx950.fp8Ocp);
  EXPECT_EQ(gfx950.fp4Convert, Fp4Convert::Pk2);
  EXPECT_TRUE(gfx950.hasPermlaneSwap);
  EXPECT_FALSE(gfx950.hasDppRowXmask);

  const Arch &gfx1250 = *lookupArch("gfx1250");
  EXPECT_EQ(gfx1250.waveSize, 32u);
  EXPECT_TRUE(gfx1250.fp8Ocp);
  EXPECT_EQ(gfx1250.fp4Convert, Fp4Convert::Pk8);
  EXPECT_TRUE(gfx1250.hasDppRowXmask);
  EXPECT_TRUE(gfx1250.hasPermlaneX16);
}
