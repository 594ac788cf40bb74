# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the backends that are plugins share. A plugin is added by one line ASTRIDE_BACKEND in
# configure.ac and one fragment backends/NAME/local.mk, which adds backends/NAME/astride-NAME.la to
# pkglib_LTLIBRARIES with $(plugin_ldflags).

# A plugin is found by its .so; the .la file that libtool installs beside it serves nobody.
install-exec-hook:
	@for la in $(pkglib_LTLIBRARIES); do \
	  name=`echo "$$la" | sed 's,.*/,,'`; \
	  echo "rm -f $(DESTDIR)$(pkglibdir)/$$name"; \
	  rm -f "$(DESTDIR)$(pkglibdir)/$$name" || exit 1; \
	done

# Without its .la file libtool no longer knows what it installed.
uninstall-hook:
	@for la in $(pkglib_LTLIBRARIES); do \
	  name=`echo "$$la" | sed 's,.*/,,; s,\.la$$,.so,'`; \
	  echo "rm -f $(DESTDIR)$(pkglibdir)/$$name"; \
	  rm -f "$(DESTDIR)$(pkglibdir)/$$name" || exit 1; \
	done
