# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The plugin for one major of LLVM. It is not part of the Makefile because Automake cannot know the
# majors: local.mk calls it once for each, with MAJOR, INCLUDE (the headers), SOURCE and OBJECTS
# (folders), CXX, FLAGS and QUIET. MLIR's symbols stay undefined: mlir-opt has them.

VPATH = $(SOURCE)
.SUFFIXES:
.SUFFIXES: .cpp .o

headers = alloc.h compat.h conversion.h dependencies.h lower_copy.h pass.h support.h
objects = alloc.o conversion.o dependencies.o lower_copy.o pass.o plugin.o support.o
compile = $(CXX) -std=c++17 -fPIC -fno-rtti -fvisibility=hidden -DNDEBUG -isystem $(INCLUDE) $(FLAGS)

astride-mlir-$(MAJOR).so: $(objects)
	@test -z "$(QUIET)" || echo "  CXXLD    $(OBJECTS)/$@"
	$(QUIET)$(CXX) -shared $(FLAGS) $(LINK_FLAGS) -o $@.new $(objects) && mv -f $@.new $@

.cpp.o:
	@test -z "$(QUIET)" || echo "  CXX      $(OBJECTS)/$@"
	$(QUIET)$(compile) -c -o $@ $<

$(objects): $(headers)
