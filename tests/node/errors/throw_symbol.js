throw Symbol('s');
