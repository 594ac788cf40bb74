# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Plugins that tests load: a complete example, and ones that the loader must refuse or that have one
# peculiarity. They are modules in %D%/.libs and are never installed.

if HAVE_CMOCKA
check_LTLIBRARIES += $(test_plugins) %D%/libastride_test_lender.la
endif

test_plugins = \
	%D%/astride-example.la \
	%D%/astride-Bad-Name.la \
	%D%/astride-bad_costs.la \
	%D%/astride-bad_depth.la \
	%D%/astride-bad_rank.la \
	%D%/astride-borrowed.la \
	%D%/astride-busy.la \
	%D%/astride-counts.la \
	%D%/astride-cut_short.la \
	%D%/astride-cut_slot.la \
	%D%/astride-function.la \
	%D%/astride-half_registers.la \
	%D%/astride-host.la \
	%D%/astride-init_fails.la \
	%D%/astride-misaligned.la \
	%D%/astride-misnamed.la \
	%D%/astride-missing_slot.la \
	%D%/astride-needs_rect.la \
	%D%/astride-newer.la \
	%D%/astride-no_devices.la \
	%D%/astride-no_symbol.la \
	%D%/astride-older.la \
	%D%/astride-truncated.la \
	%D%/astride-unavailable.la \
	%D%/astride-wrong_abi.la \
	%D%/clash/astride-example.la

# The path is no place to install to; libtool makes a module of what has one.
test_plugin_ldflags = $(plugin_ldflags) -rpath /nowhere
test_plugin_cflags = $(AM_CFLAGS) $(ASTRIDE_HIDDEN_CFLAGS)

%C%_astride_example_la_SOURCES = %D%/astride-example.c
%C%_astride_example_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_example_la_LDFLAGS = $(test_plugin_ldflags)

%C%_astride_Bad_Name_la_SOURCES = %D%/table_faults.c
%C%_astride_Bad_Name_la_CPPFLAGS = $(AM_CPPFLAGS) -DPLUGIN_NAME='"Bad-Name"'
%C%_astride_Bad_Name_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_Bad_Name_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_Bad_Name_la_LIBADD = $(DL_LIBS)

%C%_astride_bad_costs_la_SOURCES = %D%/table_faults.c
%C%_astride_bad_costs_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPLUGIN_NAME='"bad_costs"' -DPLUGIN_LINEAR_CALL_NS=-1
%C%_astride_bad_costs_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_bad_costs_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_bad_costs_la_LIBADD = $(DL_LIBS)

%C%_astride_bad_depth_la_SOURCES = %D%/table_faults.c
%C%_astride_bad_depth_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPLUGIN_NAME='"bad_depth"' -DPLUGIN_STAGING_DEPTH=65
%C%_astride_bad_depth_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_bad_depth_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_bad_depth_la_LIBADD = $(DL_LIBS)

%C%_astride_bad_rank_la_SOURCES = %D%/table_faults.c
%C%_astride_bad_rank_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPLUGIN_NAME='"bad_rank"' -DPLUGIN_RECT_RANK=4
%C%_astride_bad_rank_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_bad_rank_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_bad_rank_la_LIBADD = $(DL_LIBS)

%C%_astride_borrowed_la_SOURCES = %D%/entry_faults.c
%C%_astride_borrowed_la_CPPFLAGS = $(AM_CPPFLAGS) -DENTRY_IS_BORROWED
%C%_astride_borrowed_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_borrowed_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_borrowed_la_LIBADD = %D%/libastride_test_lender.la

%C%_astride_busy_la_SOURCES = %D%/table_faults.c
%C%_astride_busy_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPLUGIN_NAME='"busy"' -DPLUGIN_OPEN_STATUS=ASTRIDE_DRIVER_ERROR
%C%_astride_busy_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_busy_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_busy_la_LIBADD = $(DL_LIBS)

%C%_astride_counts_la_SOURCES = %D%/table_faults.c
%C%_astride_counts_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPLUGIN_NAME='"counts"' -DPLUGIN_CALLS_BACK=true
%C%_astride_counts_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_counts_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_counts_la_LIBADD = $(DL_LIBS)

%C%_astride_cut_short_la_SOURCES = %D%/entry_faults.c
%C%_astride_cut_short_la_CPPFLAGS = $(AM_CPPFLAGS) -DENTRY_IS_CUT_SHORT
%C%_astride_cut_short_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_cut_short_la_LDFLAGS = $(test_plugin_ldflags)

%C%_astride_cut_slot_la_SOURCES = %D%/table_faults.c
%C%_astride_cut_slot_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPLUGIN_NAME='"cut_slot"' -DPLUGIN_STRUCT_SIZE='sizeof(astride_plugin)-1'
%C%_astride_cut_slot_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_cut_slot_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_cut_slot_la_LIBADD = $(DL_LIBS)

%C%_astride_function_la_SOURCES = %D%/entry_faults.c
%C%_astride_function_la_CPPFLAGS = $(AM_CPPFLAGS) -DENTRY_IS_FUNCTION
%C%_astride_function_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_function_la_LDFLAGS = $(test_plugin_ldflags)

%C%_astride_half_registers_la_SOURCES = %D%/table_faults.c
%C%_astride_half_registers_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPLUGIN_NAME='"half_registers"' -DPLUGIN_MEMORY_REGISTER=memory_register
%C%_astride_half_registers_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_half_registers_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_half_registers_la_LIBADD = $(DL_LIBS)

%C%_astride_host_la_SOURCES = %D%/table_faults.c
%C%_astride_host_la_CPPFLAGS = $(AM_CPPFLAGS) -DPLUGIN_NAME='"host"'
%C%_astride_host_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_host_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_host_la_LIBADD = $(DL_LIBS)

%C%_astride_init_fails_la_SOURCES = %D%/table_faults.c
%C%_astride_init_fails_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPLUGIN_NAME='"init_fails"' -DPLUGIN_INITIALIZE_STATUS=ASTRIDE_DRIVER_ERROR
%C%_astride_init_fails_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_init_fails_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_init_fails_la_LIBADD = $(DL_LIBS)

%C%_astride_misaligned_la_SOURCES = %D%/table_faults.c
%C%_astride_misaligned_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPLUGIN_NAME='"misaligned"' -DPLUGIN_ADDRESS=0x1008
%C%_astride_misaligned_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_misaligned_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_misaligned_la_LIBADD = $(DL_LIBS)

%C%_astride_misnamed_la_SOURCES = %D%/table_faults.c
%C%_astride_misnamed_la_CPPFLAGS = $(AM_CPPFLAGS) -DPLUGIN_NAME='"other"'
%C%_astride_misnamed_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_misnamed_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_misnamed_la_LIBADD = $(DL_LIBS)

%C%_astride_missing_slot_la_SOURCES = %D%/table_faults.c
%C%_astride_missing_slot_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPLUGIN_NAME='"missing_slot"' -DPLUGIN_QUEUE_WAIT=NULL
%C%_astride_missing_slot_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_missing_slot_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_missing_slot_la_LIBADD = $(DL_LIBS)

%C%_astride_needs_rect_la_SOURCES = %D%/table_faults.c
%C%_astride_needs_rect_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPLUGIN_NAME='"needs_rect"' -DPLUGIN_RECT_RANK=2
%C%_astride_needs_rect_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_needs_rect_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_needs_rect_la_LIBADD = $(DL_LIBS)

%C%_astride_newer_la_SOURCES = %D%/table_faults.c
%C%_astride_newer_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPLUGIN_NAME='"newer"' -DPLUGIN_IS_NEWER -DPLUGIN_STRUCT_SIZE='sizeof(newer_plugin)'
%C%_astride_newer_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_newer_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_newer_la_LIBADD = $(DL_LIBS)

%C%_astride_no_devices_la_SOURCES = %D%/table_faults.c
%C%_astride_no_devices_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPLUGIN_NAME='"no_devices"' -DPLUGIN_DEVICE_COUNT=0
%C%_astride_no_devices_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_no_devices_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_no_devices_la_LIBADD = $(DL_LIBS)

%C%_astride_no_symbol_la_SOURCES = %D%/entry_faults.c
%C%_astride_no_symbol_la_CPPFLAGS = $(AM_CPPFLAGS) -DENTRY_IS_MISSING
%C%_astride_no_symbol_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_no_symbol_la_LDFLAGS = $(test_plugin_ldflags)

%C%_astride_older_la_SOURCES = %D%/table_faults.c
%C%_astride_older_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPLUGIN_NAME='"older"' -DPLUGIN_IS_OLDER -DPLUGIN_PRIORITY=60 \
	-DPLUGIN_STRUCT_SIZE='offsetof(astride_plugin, rect_supported)'
%C%_astride_older_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_older_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_older_la_LIBADD = $(DL_LIBS)

%C%_astride_truncated_la_SOURCES = %D%/table_faults.c
%C%_astride_truncated_la_CPPFLAGS = $(AM_CPPFLAGS) -DPLUGIN_NAME='"truncated"' \
	-DPLUGIN_STRUCT_SIZE='offsetof(astride_plugin, queue_create)'
%C%_astride_truncated_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_truncated_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_truncated_la_LIBADD = $(DL_LIBS)

%C%_astride_unavailable_la_SOURCES = %D%/table_faults.c
%C%_astride_unavailable_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPLUGIN_NAME='"unavailable"' -DPLUGIN_PROBE_STATUS=ASTRIDE_UNAVAILABLE \
	-DPLUGIN_PRIORITY=70
%C%_astride_unavailable_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_unavailable_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_unavailable_la_LIBADD = $(DL_LIBS)

%C%_astride_wrong_abi_la_SOURCES = %D%/table_faults.c
%C%_astride_wrong_abi_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPLUGIN_NAME='"wrong_abi"' -DPLUGIN_ABI=ASTRIDE_PLUGIN_ABI+1
%C%_astride_wrong_abi_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_wrong_abi_la_LDFLAGS = $(test_plugin_ldflags)
%C%_astride_wrong_abi_la_LIBADD = $(DL_LIBS)

# The same name as the example, in another folder.
%C%_clash_astride_example_la_SOURCES = %D%/table_faults.c
%C%_clash_astride_example_la_CPPFLAGS = $(AM_CPPFLAGS) -DPLUGIN_NAME='"example"'
%C%_clash_astride_example_la_CFLAGS = $(test_plugin_cflags)
%C%_clash_astride_example_la_LDFLAGS = $(test_plugin_ldflags)
%C%_clash_astride_example_la_LIBADD = $(DL_LIBS)

# No plugin by its file's name, but it has the table of one.
%C%_libastride_test_lender_la_SOURCES = %D%/table_faults.c
%C%_libastride_test_lender_la_CPPFLAGS = $(AM_CPPFLAGS) -DPLUGIN_NAME='"borrowed"' \
	-DPLUGIN_IS_LENDER
%C%_libastride_test_lender_la_CFLAGS = $(test_plugin_cflags)
%C%_libastride_test_lender_la_LDFLAGS = $(AM_LDFLAGS) $(ASTRIDE_NO_UNDEFINED) -rpath /nowhere
%C%_libastride_test_lender_la_LIBADD = $(DL_LIBS)

# The test of the loader uses the library as users of plugins do.
tests_unit_test_loader_LDADD = $(public_ldadd)
