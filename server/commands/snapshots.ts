import type { FixturesFile } from '../contract/fixtures-types.ts'
import { leftOutLines } from '../contract/left-out.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { CommandError } from './command-error.ts'
import { connect, type Connection, nextCommand } from './connect.ts'
import { withId } from './known.ts'
import { print, printAnswer, printJson, printList, say } from './output.ts'
import { readValue } from './read-file.ts'
import type { ControlOptions } from './read-options.ts'

/** Resets the state to the fixtures; snapshots stay. */
export async function reset(options: ControlOptions): Promise<void> {
  const { call, url } = await connect(options)
  const replaced = await call('POST reset')
  if (options.json === true) printJson(replaced)
  else say(`Reset ${url} to its fixtures; ${erasedText(replaced.erasedRequests)}.`)
}

function erasedText(requests: number): string {
  return requests === 1
    ? '1 logged request was deleted'
    : `${requests} logged requests were deleted`
}

export async function createSnapshot(
  name: string | undefined,
  options: ControlOptions,
): Promise<void> {
  const { call } = await connect(options)
  const created = await call('POST snapshots', { body: omitUndefined({ name }) })
  for (const notice of created.notices ?? []) say(notice)
  printAnswer(options, created, created.name)
}

export async function restoreSnapshot(name: string, options: ControlOptions): Promise<void> {
  const connection = await connect(options)
  const { call, url } = connection
  await withId(name, ofSnapshots(connection), async (found) => {
    const replaced = await call('POST snapshots/:name/restore', { params: { name: found } })
    if (options.json === true) printJson(replaced)
    else say(`Restored ${found} at ${url}; ${erasedText(replaced.erasedRequests)}.`)
  })
}

export async function deleteSnapshot(name: string, options: ControlOptions): Promise<void> {
  const connection = await connect(options)
  const answer = await withId(name, ofSnapshots(connection), (found) =>
    connection.call('DELETE snapshots/:name', { params: { name: found } }),
  )
  if (options.json === true) printJson(answer)
}

export async function listSnapshots(options: ControlOptions): Promise<void> {
  const { call } = await connect(options)
  const { items } = await call('GET snapshots')
  const next = nextCommand(['snapshot', 'create', 'before'], options)
  printList(
    options,
    items,
    ({ name, createdAt, size }) => [name, createdAt, `${size} bytes`],
    `No snapshots. Save the current state: ${next}`,
  )
}

/** Prints a snapshot or the current state as a fixtures file. */
export async function exportSnapshot(
  name: string | undefined,
  options: ControlOptions & { log?: boolean },
): Promise<void> {
  if (name !== undefined && options.log === true) {
    throw new CommandError('Snapshots have no log: use --log without a name.', {
      exitCode: 2,
    })
  }
  const connection = await connect(options)
  const { call } = connection
  if (name === undefined) {
    const query = options.log === true ? { query: { log: '1' } as const } : {}
    return printExport(await call('GET export', query))
  }
  const fixtures = await withId(name, ofSnapshots(connection), (found) =>
    call('GET snapshots/:name', { params: { name: found } }),
  )
  printExport(fixtures)
}

function printExport(file: FixturesFile): void {
  for (const line of leftOutLines(file)) say(line)
  printJson(file)
}

/** Imports a fixtures file as a snapshot for `restore`. */
export async function importSnapshot(
  file: string,
  options: ControlOptions & { name?: string },
): Promise<void> {
  const fixtures = await readValue(file)
  const { call } = await connect(options)
  const created = await call('POST snapshots', {
    body: { ...omitUndefined({ name: options.name }), fixtures },
  })
  for (const notice of created.notices ?? []) say(notice)
  if (options.json === true) printJson(created)
  else print(created.name)
}

function ofSnapshots({ call }: Connection) {
  return {
    what: 'snapshot',
    ids: async () => {
      const { items } = await call('GET snapshots')
      return items
        .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
        .map(({ name }) => name)
    },
  }
}
