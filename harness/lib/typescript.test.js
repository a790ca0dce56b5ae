import { explainTypeScript } from './typescript.js';

test.each([
  [
    'TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /p/src/index.ts',
    "'/p/src/index.ts' is TypeScript",
    '--runtime node@24',
  ],
  [
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/p/src/read.js' imported from /p/src/index.ts",
    "'/p/src/index.ts' imports '/p/src/read.js'",
    '--build',
  ],
  [
    'SyntaxError [ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX]: TypeScript enum is not supported',
    'only where removing the types is enough',
    '--build',
  ],
])('the reason of %s is TypeScript', (text, problem, remedy) => {
  const found = explainTypeScript(`Node.js v24\n${text}\n    at main`);
  expect(found?.problem).toContain(problem);
  expect(found?.remedy).toContain(remedy);
});

test('a missing module of JavaScript has another reason', () => {
  const text = "Cannot find module '/p/src/read.js' imported from /p/src/index.js";
  expect(explainTypeScript(text)).toBeNull();
});
