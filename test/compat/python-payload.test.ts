import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { fixture, payloadNames } from '../../server/receiver/fixture.ts'
import { settlePayload } from '../../server/receiver/validate.ts'
import { installCached } from '../helpers/cached-install.ts'
import { changed, type Json, pathsOf } from '../helpers/payload-mutants.ts'
import { hasProgram } from '../helpers/programs.ts'

const packages = ['huggingface_hub==2.4.0', 'pydantic==2.13.4']

// One verdict a line: what the model makes of the body, or nothing where it refuses. Strict: by default
// it would take 0 for false and "1" for 1 as well, which no sender of JSON means.
const script = `
import json, sys
from huggingface_hub import WebhookPayload
from pydantic import ValidationError
for line in sys.stdin:
    try:
        print(WebhookPayload.model_validate_json(line, strict=True).model_dump_json(exclude_none=True))
    except ValidationError:
        print("null")
`

/** Everything within every payload left out, null, empty, of another type, or with something new beside it. */
function mutants(): Json[] {
  const replacements = [undefined, null, '', 0, -1, 1.5, [], {}, [{}], { added: 1 }]
  return payloadNames.flatMap((name) => [
    fixture(name) as unknown as Json,
    { ...fixture(name), added: null },
    ...pathsOf(fixture(name))
      .slice(1)
      .flatMap((path) => replacements.map((value) => changed(fixture(name), path, value))),
  ])
}

async function verdicts(folder: string, bodies: readonly Json[]): Promise<unknown[]> {
  const python = spawn('python3', ['-c', script], {
    env: { ...process.env, PYTHONPATH: folder },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let printed = ''
  python.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  python.stdin.end(bodies.map((body) => JSON.stringify(body)).join('\n'))
  const [code] = (await once(python, 'close')) as [number]
  expect(code).toBe(0)
  return printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}

describe("the hub's Python helper", () => {
  test('accepts no payload that the receiver refuses, and finds the same in it', async ({
    skip,
  }) => {
    skip(!hasProgram('python3', '-m', 'pip', '--version'), 'Python with pip is not installed')
    const { folder, obstacle } = await installCached('python', packages, (target) =>
      promisify(execFile)('python3', ['-m', 'pip', 'install', '-q', '-t', target, ...packages]),
    )
    skip(obstacle !== undefined, obstacle)
    const bodies = mutants()
    const theirs = await verdicts(folder, bodies)
    expect(theirs).toHaveLength(bodies.length)
    const accepted = bodies.flatMap((body, index) => {
      const theirReading = theirs[index] as Json | null
      return theirReading === null ? [] : [{ body, theirReading }]
    })
    for (const { body, theirReading } of accepted) {
      const settled = structuredClone(body)
      expect({ body, issues: settlePayload(settled) }).toEqual({ body, issues: [] })
      // Nothing that the model reads was lost on the way.
      expect({ body, settled }).toMatchObject({ body, settled: theirReading })
    }
    expect(accepted.length).toBeGreaterThan(200)
    expect(theirs.length - accepted.length).toBeGreaterThan(1000)
  }, 240_000)
})
