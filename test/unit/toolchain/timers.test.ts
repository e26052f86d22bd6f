import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../../server', import.meta.url))

/** What runs beside nobody's tests, and what a receiver does by the time of its app: answer 202, and give up. */
const byOtherTime = /^(?:tools|commands|code-cache|receiver)\//

/** Where they are, and what is asked for them in the code of others. */
const own = new Set(['core/timers.ts', 'vite.config.ts'])
const files = readdirSync(folder, { recursive: true })
  .map((path) => String(path).replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !byOtherTime.test(path) && !own.has(path))

const imports = /import \{([^}]*)\} from '[^']*\/timers\.ts'/
const timer = /(?<![.\w])(?:(?:set|clear)(?:Timeout|Interval|Immediate)\b|performance(?=\.))/g

// A sandbox that runs in a test must not wait for the timers that the test has put in the place of Node's.
test('the sandbox takes its timers from core/timers.ts', () => {
  const others = files.flatMap((path) => {
    const text = readFileSync(join(folder, path), 'utf8')
    const taken = new Set(
      imports
        .exec(text)?.[1]
        ?.split(',')
        .map((name) => name.trim()),
    )
    const used = [...text.matchAll(timer)].map(([name]) => name)
    const free = [...new Set(used)].filter((name) => !taken.has(name))
    const named = /from '(?:node:)?(?:timers(?:\/promises)?|perf_hooks)'/.exec(text)?.[0]
    return [...free, ...(named === undefined ? [] : [named])].map((one) => `${path}: ${one}`)
  })
  expect(files.length).toBeGreaterThan(200)
  expect(others).toEqual([])
})
