import { expect, test } from 'vitest'
import Progress from '../../helpers/progress.ts'

const ofProject = (name: string) =>
  ({ project: { name } }) as Parameters<Progress['onTestModuleQueued']>[0]

test('each layer tells its beginning, how far it is, and how long it took', () => {
  let now = 1
  const lines: string[] = []
  const progress = new Progress({ write: (line) => void lines.push(line), now: () => now })
  const end = (name: string, isOk = true) => {
    now += 10_000
    // Like vitest's, it has to be called as a method.
    const module = {
      ...ofProject(name),
      isOk,
      ok() {
        return this.isOk
      },
    }
    progress.onTestModuleEnd(module)
  }
  progress.onTestRunStart([
    ...Array.from({ length: 20 }, () => ofProject('unit')),
    ofProject('contract'),
  ])
  for (let file = 1; file <= 20; file++) {
    progress.onTestModuleQueued(ofProject('unit'))
    end('unit', file !== 12)
  }
  progress.onTestModuleQueued(ofProject('contract'))
  end('contract')

  expect(lines).toEqual([
    'unit: 20 files',
    'unit: 2 of 20 after 0:20',
    'unit: 4 of 20 after 0:40',
    'unit: 6 of 20 after 1:00',
    'unit: 8 of 20 after 1:20',
    'unit: 10 of 20 after 1:40',
    'unit: 12 of 20 after 2:00, 1 with failures',
    'unit: 14 of 20 after 2:20, 1 with failures',
    'unit: 16 of 20 after 2:40, 1 with failures',
    'unit: 18 of 20 after 3:00, 1 with failures',
    'unit: done after 3:20, 1 with failures',
    'contract: 1 files',
    'contract: done after 0:10',
  ])
})
