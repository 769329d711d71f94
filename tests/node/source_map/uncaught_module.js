// rondo-test: option=--enable-source-maps
// The source is part of the map.
import('./fixtures/shape_module.mjs').then(({ outer }) => outer({ sides: 3 }));
