import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { explainFailure } from '../../../electron/failures.ts'
import { ConfigError } from '../../../server/core/config-error.ts'
import { ListenError, openListeners } from '../../../server/app/open-listener.ts'
import { acquireLock, LockedError } from '../../../server/store/lock.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )

/** Failure to listen, with the text of the command line. */
function listenError(code: string, sandboxUrl?: string): ListenError {
  const cause = Object.assign(new Error(code), { code })
  const text = 'Stop it with "npx hub-sandbox stop", or choose another port with --port.'
  return new ListenError(text, { cause, port: 7420, sandboxUrl })
}

describe('the dialog of a failed start', () => {
  test('offers to show the sandbox that uses the data folder', async () => {
    const directory = temporaryDirectory()
    const lock = await acquireLock(directory, { url: 'http://localhost:7420' })
    const error = await failureOf(acquireLock(directory))
    expect(error).toBeInstanceOf(LockedError)
    expect(explainFailure(error)).toMatchObject({
      message: 'The sandbox is already running',
      detail: expect.stringContaining(directory),
      offers: [
        {
          label: 'Open That One',
          fix: { kind: 'show', holder: { url: 'http://localhost:7420', pid: process.pid } },
        },
      ],
    })
    lock.release()
  })

  test('offers nothing while the other one has no URL yet', async () => {
    const directory = temporaryDirectory()
    const lock = await acquireLock(directory)
    expect(explainFailure(await failureOf(acquireLock(directory))).offers).toBeUndefined()
    lock.release()
  })

  test('offers a free port if the default is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    const listening = openListeners({ port, hosts: ['127.0.0.1'], hostsAreDefault: true })
    expect(explainFailure(await failureOf(listening))).toMatchObject({
      message: 'The sandbox could not be started',
      detail: expect.stringContaining(`Port ${port}`),
      offers: [{ label: 'Use a Free Port', fix: { kind: 'free-port' } }],
    })
    other.close()
  })

  test('offers first what it advises first', () => {
    const url = 'http://localhost:7420'
    const failures = [
      listenError('EADDRINUSE', url),
      listenError('EADDRINUSE'),
      listenError('EACCES'),
    ].map((error) => explainFailure(error))
    const advice = failures.map(({ detail }) => /(Open that one|Use a free port)/.exec(detail)?.[1])
    expect(advice).toEqual(['Open that one', 'Use a free port', 'Use a free port'])
    const labels = failures.map(({ offers = [] }) => offers.map(({ label }) => label))
    expect(labels).toEqual([
      ['Open That One', 'Use a Free Port'],
      ['Use a Free Port'],
      ['Use a Free Port'],
    ])
    expect(failures[0]?.offers?.[0]?.fix).toEqual({ kind: 'show', holder: { url } })
    // An installed app has no command line to stop a sandbox or choose a port with.
    for (const { detail } of failures)
      expect(detail).not.toMatch(/npx|npm|node |hub-sandbox stop|--/)
  })

  test('offers no free port where the address is the problem', () => {
    const failure = explainFailure(listenError('EADDRNOTAVAIL'))
    expect(failure).toEqual({
      message: 'The sandbox could not be started',
      detail: 'Stop it with "npx hub-sandbox stop", or choose another port with --port.',
    })
  })

  test('lists the mistakes of a file', () => {
    const error = new ConfigError('a.hubsandbox', [
      { path: 'users[0].name', message: 'is unknown' },
    ])
    expect(explainFailure(error, 'a.hubsandbox')).toEqual({
      message: 'a.hubsandbox cannot be used',
      detail: 'a.hubsandbox: 1 mistake\n  users[0].name: is unknown',
    })
  })

  test('shows any other error unchanged', () => {
    expect(explainFailure(new Error('the disk is full'))).toEqual({
      message: 'The sandbox could not be started',
      detail: 'the disk is full',
    })
  })
})
