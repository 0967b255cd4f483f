// What the linter asks of the scripts; what TypeScript finds already is left to it.

import js from "@eslint/js";

export default [
  {
    ...js.configs.recommended,
    rules: {
      ...js.configs.recommended.rules,
      "no-undef": "off", // TypeScript knows the browser
      "no-unused-vars": "off", // and what is not used
      "eqeqeq": "error",
      "no-console": "error",
      "no-param-reassign": "error",
      "no-shadow": ["error", { builtinGlobals: false }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
];
