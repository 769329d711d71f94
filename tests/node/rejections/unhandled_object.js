Promise.reject({ code: 1, nested: { deep: [1] } });
