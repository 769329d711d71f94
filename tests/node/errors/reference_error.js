console.log(notDefinedAnywhere);
