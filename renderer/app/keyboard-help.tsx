import { Kbd } from '../ui/button.tsx'
import { Dialog, DialogBody } from '../ui/dialog.tsx'
import { useSingleKeys } from '../lib/browser-settings.ts'
import { words } from './words.ts'

const groups: readonly { title: string; keys: readonly (readonly [string[], string])[] }[] = [
  {
    title: words.anywhere,
    keys: [
      [['Ctrl', 'K'], words.keyPalette],
      [['t'], words.keyTrigger],
      [['.'], words.repeatTheLastTrigger],
      [['?'], words.keyHelp],
    ],
  },
  {
    title: words.signIns,
    keys: [
      [['j', '↓'], words.nextStep],
      [['k', '↑'], words.previousStep],
      [['Home', 'End'], words.firstLastStep],
      [['Enter'], words.stepDetails],
      [['[', ']'], words.newerOlder],
      [['n'], words.followNewest],
      [['s'], words.playNextStep],
      [['p'], words.present],
      [['Esc'], 'back'],
    ],
  },
  {
    title: words.deliveriesMove,
    keys: [
      [['j', '↓'], 'next'],
      [['k', '↑'], 'previous'],
      [['g'], 'first'],
      [['G'], 'last'],
      [[']'], words.nextFailure],
      [['['], words.previousFailure],
      [['Enter', 'd'], 'open'],
      [['Esc'], 'back'],
      [['1', '…', '6'], words.paneOfOpen],
    ],
  },
  {
    title: words.deliveriesList,
    keys: [
      [['Space'], words.followOrStop],
      [['/'], 'filter'],
      [['f'], words.nextState],
      [['s'], words.showSkipped],
      [['v'], words.markToCompare],
      [['D'], words.compareWithMarked],
      [['b'], 'bookmark'],
      [['m'], words.selectForBulk],
    ],
  },
  {
    title: words.deliveriesAct,
    keys: [
      [['r'], 'replay'],
      [['R'], words.replaySeveralTimes],
      [['e'], words.editAndReplay],
      [['x'], 'explain'],
      [['c'], words.copyAsCurl],
    ],
  },
]

export function KeyboardHelp({
  open,
  onOpenChange,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const [hasKeys] = useSingleKeys()
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={words.keyboardShortcuts} wide>
      <DialogBody textOnly>
        {!hasKeys && <p className="pb-3 text-sm text-warn">{words.singleKeysOff}</p>}
        <div className="gap-x-10 pt-1 sm:columns-2">
          {groups.map(({ title, keys }) => (
            <section key={title} className="break-inside-avoid pb-5">
              <h3 className="eyebrow pb-1.5">{title}</h3>
              <dl>
                {keys.map(([names, meaning]) => (
                  <div key={meaning} className="flex items-center justify-between gap-4 py-1">
                    <dt className="order-2 flex gap-1 text-muted">
                      {names.map((name) => (
                        <Kbd key={name}>{name}</Kbd>
                      ))}
                    </dt>
                    <dd className="text-sm">{meaning}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </DialogBody>
    </Dialog>
  )
}
