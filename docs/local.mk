# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The pages for people, and the API pages that doxygen makes of the public headers.

EXTRA_DIST += $(doc_pages)
doc_pages = \
	%D%/architecture.md \
	%D%/hip.md \
	%D%/mlir.md \
	%D%/opencl.md \
	%D%/performance.md \
	%D%/staging.md \
	%D%/cuda.md

doc: %D%/Doxyfile
if HAVE_DOXYGEN
	$(AM_V_GEN)$(DOXYGEN) %D%/Doxyfile
else
	@echo 'make doc: doxygen was not found when configure ran' >&2; exit 1
endif
.PHONY: doc

clean-local: clean-doc
clean-doc:
	rm -rf %D%/html
.PHONY: clean-doc
