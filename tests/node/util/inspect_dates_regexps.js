console.log(new Date(0), new Date(NaN), [new Date(1e12)], /a\/b/gi, Object.assign(/x/, { extra: 1 }), Object.assign(new Date(0), { extra: 1 }));
