import { describe, expect, test } from 'vitest'
import { breakDown, type CpuProfile, formatBreakdown } from '../../bench/profile.ts'

const bundle = 'file:///dist/server/chunks/main.js'
const text = [
  'import x from "node:http"',
  '// server/http/app.ts',
  'function build() {',
  '}',
  '// node_modules/@fastify/static/index.js',
  'function serve() {}',
].join('\n')

const node = (id: number, functionName: string, url = '', lineNumber = -1) => ({
  id,
  callFrame: { functionName, url, lineNumber },
})

const profile: CpuProfile = {
  nodes: [
    node(1, '(root)'),
    node(2, '(idle)'),
    node(3, '(garbage collector)'),
    node(4, 'build', bundle, 2),
    node(5, 'serve', bundle, 5),
    node(6, 'parse', 'node:internal/url', 40),
    node(7, 'writev'),
  ],
  samples: [1, 2, 3, 4, 4, 5, 6, 7],
  timeDeltas: [100, 5000, 1000, 2000, 2000, 1000, 3000, 1000],
}

describe('breakdown of a profile', () => {
  const breakdown = breakDown(profile, (url) => (url === bundle ? text : undefined))

  test('tells the time in which the program was busy apart', () => {
    expect(breakdown).toMatchObject({ busyMs: 10, idleMs: 5 })
  })

  test('sums self time by room, dependency, module of Node, native code and collector', () => {
    expect(breakdown.origins).toEqual([
      { name: 'server/http', share: 0.4 },
      { name: 'node:internal/url', share: 0.3 },
      { name: 'garbage collector', share: 0.1 },
      { name: '@fastify/static', share: 0.1 },
      { name: 'native code', share: 0.1 },
    ])
  })

  test('names functions with the file they were written in, and about its line', () => {
    expect(breakdown.functions.slice(0, 2)).toEqual([
      { name: 'build  server/http/app.ts:1', share: 0.4 },
      { name: 'parse  node:internal/url:41', share: 0.3 },
    ])
  })

  test('is told in lines of shares', () => {
    expect(formatBreakdown(breakdown)).toContain('\n  40.0 %  server/http\n')
  })
})
