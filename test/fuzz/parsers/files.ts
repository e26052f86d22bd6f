import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { compareRuns } from '../../../server/cli/exec/record/compare-runs.ts'
import type { RecordedRequest } from '../../../server/cli/exec/record/run-record.ts'
import { readRecord } from '../../../server/cli/exec/record/run-record.ts'
import { CommandError } from '../../../server/cli/command-error.ts'
import type { FixturesFile } from '../../../server/contract/fixtures-types.ts'
import { ConfigError } from '../../../server/core/config-error.ts'
import { compareFixtures } from '../../../server/fixtures/compare.ts'
import { fixturesFromCode, readFixtures } from '../../../server/fixtures/read.ts'
import { fixturesSchema } from '../../../server/fixtures/schema.ts'
import { StateError } from '../../../server/store/errors.ts'
import { parseIdentity } from '../../../server/store/processes.ts'
import { readLock } from '../../../server/store/lock.ts'
import { parseSnapshot, snapshotLines } from '../../../server/store/snapshot-format.ts'
import { openStore } from '../../../server/store/store.ts'
import { definitions, stateFormatVersion } from '../../../server/store/state.ts'
import { nearlyFitting } from '../../helpers/schema-values.ts'
import { json, jsonText, text } from '../inputs.ts'
import { must, target } from '../target.ts'

/** A folder for what the checks write, which the last of them removes. */
let folder: Promise<string> | undefined
const folderOf = () => (folder ??= mkdtemp(join(tmpdir(), 'hub-sandbox-fuzz-')))

async function removeFolder(): Promise<void> {
  if (folder !== undefined) await rm(await folder, { recursive: true, force: true })
  folder = undefined
}

/** The answer of a read, or nothing where it was refused by an error of this kind. */
async function readOrRefused<T>(
  kind: abstract new (...args: never[]) => Error,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof kind) return undefined
    throw error
  }
}

const fixtures = nearlyFitting(fixturesSchema)
const recorded = fc.record({
  lane: text('client'),
  method: fc.constantFrom('GET', 'POST'),
  path: text('/oauth/token', '?', '&', '=', 'code'),
  status: fc.nat(599),
  body: json,
  answer: json,
  location: text('http://localhost/', '?', 'code='),
})
const sessionId = fc.constantFrom('1', '2')
const session = {
  userId: fc.constant('0'.repeat(24)),
  createdAt: fc.nat(),
  expiresAt: fc.nat(),
}
const members = fc.record({ ...session, createdAt: fc.oneof(fc.nat(), json) }, { requiredKeys: [] })
const memberName = fc.constantFrom('createdAt', 'userId', 'id', '__proto__')
const change = fc.oneof(
  fc.tuple(fc.constant('put'), fc.constant('sessions'), fc.record({ id: sessionId, ...session })),
  fc.tuple(fc.constant('set'), fc.constant('sessions'), sessionId, fc.oneof(members, json)),
  fc.tuple(
    fc.constant('set'),
    fc.constant('sessions'),
    sessionId,
    members,
    fc.oneof(fc.array(memberName, { maxLength: 2 }), json),
  ),
  fc.tuple(fc.constant('delete'), fc.constant('sessions'), sessionId),
  fc.tuple(fc.constant('clear'), fc.constant('sessions')),
)
const unit = fc.array(fc.oneof({ weight: 9, arbitrary: change }, json), { maxLength: 4 })
const journal = fc.oneof(
  fc
    .array(unit, { maxLength: 4 })
    .map((units) => units.map((changes) => `${JSON.stringify(changes)}\n`).join('')),
  text(
    `{"format":${stateFormatVersion},"journal":1}\n`,
    '\n',
    '["put",',
    '[["put","sessions",{"id":"1"}]]',
    '[["set","sessions","1",{"id":"2"}]]',
    '"users"',
    '[',
    ']',
  ),
)

/** Files: fixtures, records of runs, and the state on disk. */
export const fileTargets = [
  target({
    name: 'fixtures',
    sample: 50,
    inputs: fixtures,
    share: 2,
    async check(input) {
      const read = await readOrRefused(ConfigError, () => fixturesFromCode(input))
      if (read === undefined) return
      const again = await fixturesFromCode(JSON.parse(JSON.stringify(read.fixtures)))
      must(
        JSON.stringify(again.fixtures) === JSON.stringify(read.fixtures),
        'is another once it was completed',
      )
      const { things } = compareFixtures(input as FixturesFile, input as FixturesFile)
      must(
        things.every(({ added, changed }) => added.count + changed.count === 0),
        'differs from itself',
      )
    },
  }),
  target({
    name: 'fixtures-file',
    sample: 40,
    inputs: fc.record({
      ending: fc.constantFrom('json', 'yaml', 'hubsandbox', 'txt'),
      text: fc.oneof(
        jsonText,
        fixtures.map((value) => JSON.stringify(value)),
        text(
          'users:\n',
          '  - username: a\n',
          '&a',
          '*a',
          '!!',
          '<<: ',
          '{',
          '[',
          ': ',
          '---\n',
          '? ',
        ),
      ),
    }),
    async check({ ending, text: content }) {
      const file = join(await folderOf(), `fixtures.${ending}`)
      await writeFile(file, content)
      await readOrRefused(ConfigError, () => readFixtures(file, '/'))
    },
    close: removeFolder,
  }),
  target({
    name: 'run-record',
    inputs: fc.oneof(
      jsonText,
      fc
        .array(recorded, { maxLength: 4 })
        .map((requests) =>
          JSON.stringify({ hubSandboxRecord: 1, madeBy: '1', command: 'x', requests }),
        ),
    ),
    async check(input) {
      const file = join(await folderOf(), 'run.json')
      await writeFile(file, input)
      await readOrRefused(CommandError, () => readRecord(file))
    },
    close: removeFolder,
  }),
  target({
    name: 'run-comparison',
    inputs: fc.array(recorded, { maxLength: 4 }),
    check(input) {
      const run = input as RecordedRequest[]
      const difference = compareRuns(run, structuredClone(run), {
        fixed: new Set(),
        isSeeded: true,
      })
      must(difference === undefined, `differs from itself in ${difference?.what}`)
    },
  }),
  target({
    name: 'snapshot-file',
    inputs: fc.oneof(
      text(
        '{"format":1,"journal":1,"collections":{\n',
        '"users":[\n',
        '{"id":"1"}',
        ',',
        ']\n',
        '}}\n',
      ),
      fc.dictionary(text('users'), fc.array(fc.record({ id: text() }), { maxLength: 3 })),
    ),
    async check(input) {
      const file = join(await folderOf(), 'state.json')
      if (typeof input === 'string') {
        await writeFile(file, input)
        await readOrRefused(StateError, () => parseSnapshot(file))
        return
      }
      const collections = new Map(Object.entries(input))
      const lines = [...snapshotLines({ format: 1, journal: 1, collections })]
      await writeFile(file, lines.join(''))
      const read = await readOrRefused(StateError, () => parseSnapshot(file))
      must(read !== undefined, 'does not read what it wrote')
      must(
        JSON.stringify([...read.collections]) === JSON.stringify([...collections]),
        'reads something else than it wrote',
      )
    },
    close: removeFolder,
  }),
  target({
    name: 'journal',
    sample: 100,
    inputs: fc.record({ snapshot: fc.boolean(), text: journal }),
    async check({ snapshot, text: lines }) {
      const directory = join(await folderOf(), 'state')
      await rm(directory, { recursive: true, force: true })
      const open = () => openStore(definitions, { formatVersion: stateFormatVersion, directory })
      await (await open()).close()
      const file = join(directory, snapshot ? 'state.json' : 'journal-1.ndjson')
      const before = await readFile(file, 'utf8').catch(() => '')
      await writeFile(file, before + lines)
      const contentsOf = async () => {
        const store = await open()
        const contents = JSON.stringify([...store.collections.sessions.values()])
        await store.close()
        return contents
      }
      const read = await readOrRefused(StateError, contentsOf)
      if (read === undefined) return
      must((await contentsOf()) === read, 'is another when it is read again')
    },
    close: removeFolder,
  }),
  target({
    name: 'lock-file',
    inputs: jsonText,
    async check(input) {
      parseIdentity(input)
      const directory = await folderOf()
      await writeFile(join(directory, 'lock.json'), input)
      readLock(directory)
    },
    close: removeFolder,
  }),
]
