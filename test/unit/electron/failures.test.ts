import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { explainFailure } from '../../../electron/failures.ts'
import { ConfigError } from '../../../server/core/config-error.ts'
import { openListeners } from '../../../server/app/open-listener.ts'
import { acquireLock, LockedError } from '../../../server/store/lock.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )

describe('the dialog of a failed start', () => {
  test('offers to show the sandbox that uses the data folder', async () => {
    const directory = temporaryDirectory()
    const lock = await acquireLock(directory, { url: 'http://localhost:7420' })
    const error = await failureOf(acquireLock(directory))
    expect(error).toBeInstanceOf(LockedError)
    expect(explainFailure(error)).toMatchObject({
      message: 'The sandbox is already running',
      detail: expect.stringContaining(directory),
      offer: {
        label: 'Show',
        fix: { kind: 'show', holder: { url: 'http://localhost:7420', pid: process.pid } },
      },
    })
    lock.release()
  })

  test('offers nothing while the other one has no URL yet', async () => {
    const directory = temporaryDirectory()
    const lock = await acquireLock(directory)
    expect(explainFailure(await failureOf(acquireLock(directory))).offer).toBeUndefined()
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
      offer: { fix: { kind: 'free-port' } },
    })
    other.close()
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
