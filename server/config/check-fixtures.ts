import { earliestClockMs } from '../contract/fixtures/limits.ts'
import type { FixturesFile } from '../contract/fixtures-types.ts'
import { checkOrganizations, checkUsers } from './checks/accounts.ts'
import { checkApps, checkMetadataDocuments } from './checks/apps.ts'
import { checkCommandLineOnly, checkConfig } from './checks/config.ts'
import { readDirectory } from './checks/directory.ts'
import { child, type Entry, entries, impossibleDates, texts } from './checks/loose.ts'
import { checkCollections, checkRepos } from './checks/repos.ts'
import { checkJobs, checkWebhooks } from './checks/webhooks.ts'
import { checkShape, isRecord } from './check-shape.ts'
import { fixturesSchema } from './fixtures-schema.ts'
import type { Issue } from './issues.ts'

export type FixturesCheck = { file: FixturesFile } | { issues: readonly Issue[] }

/**
 * Checks the content of a fixtures file: its shape, and whether everything that it names exists.
 * @returns all mistakes at once, each with its path, in the order of the schema
 */
export function checkFixtures(value: unknown): FixturesCheck {
  const refused = isRecord(value) ? checkCommandLineOnly({ path: '', value }) : []
  const references = isRecord(value) ? checkReferences({ path: '', value }) : []
  // Where there is a reason (not for files, two hyphens in a name), it counts, not that the schema does not fit.
  const told = new Set([...refused, ...references].map(({ path }) => path))
  const shape = checkShape(fixturesSchema, value).filter(({ path }) => !told.has(path))
  const issues = [...shape, ...refused, ...references]
  return issues.length === 0 ? { file: value as FixturesFile } : { issues }
}

function checkReferences(root: Entry): Issue[] {
  const directory = readDirectory(root)
  return [
    ...checkUsers(root),
    ...checkOrganizations(root, directory),
    ...checkApps(root, directory),
    ...checkRepos(root, directory),
    ...checkCollections(root, directory),
    ...checkWebhooks(root, directory),
    ...checkJobs(root, directory),
    ...checkMetadataDocuments(root),
    ...checkConfig(root, directory),
    ...checkDates(root),
  ]
}

function checkDates(root: Entry): Issue[] {
  const dated = ['users', 'organizations', 'apps', 'repos', 'collections', 'webhooks', 'jobs']
    .flatMap((key) => entries(root, key))
    .flatMap((entry) => [entry, ...entries(entry, 'tokens')])
    .flatMap((entry) => texts(entry, 'createdAt'))
  const clock = child(root, 'clock')
  const now = clock === undefined ? [] : texts(clock, 'now')
  return [
    ...impossibleDates([...dated, ...now]),
    ...now
      .filter(({ text }) => Date.parse(text) < earliestClockMs)
      .map(({ path, text }) => ({ path, message: `must be 1970 or later, not ${text}` })),
  ]
}
