// rondo-test: no-file option=-p option="[typeof os.cpus, path.sep, util.format('%d', 1)]"
