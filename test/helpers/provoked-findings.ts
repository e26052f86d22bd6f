/** Checks that tests of clients break on purpose, by file and with the reason. */
export const provokedFindings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'compat/downloads.test.ts': {
    'api/token-follows-redirect': 'has wget, which sends the header of its command line everywhere',
  },
  'compat/huggingface-hub-python.test.ts': {
    'portability/not-emulated': 'calls what is not emulated, to see it named',
  },
  'compat/openid-client.test.ts': {
    'token/refresh-not-stored': 'sends the old token again at once, to see it refused',
  },
  'compat/sarif.test.ts': {
    'token/secret-in-url': 'needs a finding in the report',
  },
}
