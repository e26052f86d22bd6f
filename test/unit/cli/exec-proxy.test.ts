import { expect, test } from 'vitest'
import { proxyPart, proxyVariables } from '../../../server/cli/exec/proxy-part.ts'
import type { Run } from '../../../server/cli/exec/run-part.ts'
import { readOrigins } from '../../../server/core/routed-origins.ts'

const { origins } = readOrigins(['https://hub.invalid'])
const run = { connection: { url: 'http://localhost:7420' } as Run['connection'] }
const proxyUrl = 'http://127.0.0.1:8'

test('programs in any language get the proxy variables, in both cases', () => {
  const local = 'localhost,127.0.0.1,::1'
  expect(proxyVariables({}, { proxyUrl, run, origins })).toEqual({
    HTTP_PROXY: proxyUrl,
    http_proxy: proxyUrl,
    HTTPS_PROXY: proxyUrl,
    https_proxy: proxyUrl,
    ALL_PROXY: undefined,
    all_proxy: undefined,
    NO_PROXY: local,
    no_proxy: local,
  })
})

test.each([
  ['*', ''],
  ['hub.invalid, .invalid *.hub.invalid:443 invalid', ''],
  ['intern.example,myhub.invalid', 'intern.example,myhub.invalid,'],
])('hosts that the user reaches directly (%s) are not the hub', (given, kept) => {
  const { NO_PROXY } = proxyVariables({ no_proxy: given }, { proxyUrl, run, origins })
  expect(NO_PROXY).toBe(`${kept}localhost,127.0.0.1,::1`)
})

test('a proxy without purpose is refused with one sentence', () => {
  expect(() => proxyPart.startOptions?.({ proxy: true })).toThrow(
    expect.objectContaining({
      exitCode: 2,
      message:
        '--proxy redirects the origins of --intercept to the sandbox: add --intercept https://huggingface.co, or omit --proxy.',
    }),
  )
})
