# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The MLIR pass plugin, once for each major of LLVM that configure has found. What it is made of is
# in plugin.mk; here are only the loops over the majors.

mlir_plugindir = $(pkglibdir)/mlir
mlir_pass_sources = \
	%D%/alloc.cpp \
	%D%/alloc.h \
	%D%/compat.h \
	%D%/conversion.cpp \
	%D%/conversion.h \
	%D%/dependencies.cpp \
	%D%/dependencies.h \
	%D%/lower_copy.cpp \
	%D%/lower_copy.h \
	%D%/pass.cpp \
	%D%/pass.h \
	%D%/plugin.cpp \
	%D%/support.cpp \
	%D%/support.h

EXTRA_DIST += $(mlir_pass_sources) %D%/plugin.mk

all-local: mlir-plugins
install-exec-local: install-mlir-plugins
uninstall-local: uninstall-mlir-plugins
clean-local: clean-mlir-plugins
.PHONY: mlir-plugins install-mlir-plugins uninstall-mlir-plugins clean-mlir-plugins

# Absolute paths, since each plugin is made from inside its own folder.
mlir-plugins:
	@for item in $(ASTRIDE_MLIR_INCLUDES); do \
	  major=$${item%%=*}; \
	  folder=%D%/$$major; \
	  $(MKDIR_P) $$folder || exit 1; \
	  (cd $$folder && $(MAKE) $(AM_MAKEFLAGS) -f $(abs_top_srcdir)/%D%/plugin.mk \
	    MAJOR=$$major INCLUDE="$${item#*=}" SOURCE='$(abs_top_srcdir)/%D%' OBJECTS=$$folder \
	    CXX='$(CXX)' LINK_FLAGS='$(LDFLAGS)' QUIET='$(AM_V_at)' \
	    FLAGS='$(ASTRIDE_MLIR_CXXFLAGS) -DASTRIDE_VERSION=\"$(VERSION)\" $(CPPFLAGS) $(CXXFLAGS)' \
	  ) || exit 1; \
	done

install-mlir-plugins: mlir-plugins
	@test -z '$(ASTRIDE_MLIR_MAJORS)' || $(MKDIR_P) '$(DESTDIR)$(mlir_plugindir)'
	@for major in $(ASTRIDE_MLIR_MAJORS); do \
	  echo " $(INSTALL_PROGRAM) %D%/$$major/astride-mlir-$$major.so '$(DESTDIR)$(mlir_plugindir)'"; \
	  $(INSTALL_PROGRAM) %D%/$$major/astride-mlir-$$major.so '$(DESTDIR)$(mlir_plugindir)' \
	    || exit 1; \
	done

uninstall-mlir-plugins:
	@for major in $(ASTRIDE_MLIR_MAJORS); do \
	  rm -f '$(DESTDIR)$(mlir_plugindir)'/astride-mlir-$$major.so; \
	done

clean-mlir-plugins:
	@for major in $(ASTRIDE_MLIR_MAJORS); do rm -rf %D%/$$major; done
