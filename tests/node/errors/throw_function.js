throw function f() {};
