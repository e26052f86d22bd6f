import { acquireLock, LockedError } from '../../server/store/lock.ts'

// Waits for a line, so that several of these start at once; tells whether it got the lock; keeps it until its
// input ends.
const [, , directory = ''] = process.argv
process.stdout.write('ready\n')
process.stdin.once('data', () => {
  acquireLock(directory).then(
    (lock) => {
      process.stdout.write('locked\n')
      process.stdin.once('end', () => lock.release())
    },
    (error: unknown) => {
      process.stdout.write(error instanceof LockedError ? 'refused\n' : `${String(error)}\n`)
      process.stdin.destroy()
    },
  )
})
