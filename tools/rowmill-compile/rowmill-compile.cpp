#include "rowmill/Pipeline/Compiler.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
using namespace rowmill;
int main(int argc,char**argv){ auto buf=llvm::MemoryBuffer::getFileOrSTDIN(argv[1]); CompileOptions o; o.target=argv[2]; o.emit=*parseStage(argv[3]); if(argc>4) o.partition.lanesPerRow=atoi(argv[4]); o.explain=false; CompileResult r; bool ok=compile((*buf)->getBuffer(),argv[1],o,r); llvm::errs()<<r.diagnostics; llvm::errs()<<r.timing.parse<<" "<<r.timing.passes<<" "<<r.timing.llvm<<" "<<r.timing.link<<"\n"; llvm::outs()<<r.output; return !ok;}
