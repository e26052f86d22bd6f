import { Kbd } from '../ui/button.tsx'
import { Dialog, DialogBody } from '../ui/dialog.tsx'
import { useSingleKeys } from '../lib/browser-settings.ts'
import { words } from './words.ts'

const groups: readonly { title: string; keys: readonly (readonly [string[], string])[] }[] = [
  {
    title: 'Anywhere',
    keys: [
      [['Ctrl', 'K'], 'search or run a command'],
      [['Ctrl', '1', '…', '7'], 'go to a place'],
      [['t'], 'trigger an event'],
      [['.'], 'repeat the last trigger'],
      [['?'], 'show keyboard shortcuts'],
    ],
  },
  {
    title: words.signIns,
    keys: [
      [['j', '↓'], 'next step'],
      [['k', '↑'], 'previous step'],
      [['Home', 'End'], 'first, last step'],
      [['Enter'], 'step details'],
      [['[', ']'], 'newer, older sign-in'],
      [['n'], 'follow the newest sign-in'],
      [['s'], 'play next step of the demo'],
      [['p'], 'present'],
      [['Esc'], 'back'],
    ],
  },
  {
    title: 'Deliveries: move',
    keys: [
      [['j', '↓'], 'next'],
      [['k', '↑'], 'previous'],
      [['g'], 'first'],
      [['G'], 'last'],
      [[']'], 'next failure'],
      [['['], 'previous failure'],
      [['Enter', 'd'], 'open'],
      [['Esc'], 'back'],
      [['1', '…', '6'], 'select a tab of the open delivery'],
    ],
  },
  {
    title: 'Deliveries: list',
    keys: [
      [['Space'], 'follow live, or stop'],
      [['/'], 'filter'],
      [['f'], 'next state'],
      [['s'], 'show skipped'],
      [['v'], 'mark for comparison'],
      [['D'], 'compare with the marked delivery'],
      [['b'], 'bookmark'],
      [['m'], 'select for bulk actions'],
    ],
  },
  {
    title: 'Deliveries: act',
    keys: [
      [['r'], 'replay'],
      [['R'], 'replay several times'],
      [['e'], 'edit and replay'],
      [['x'], 'explain'],
      [['c'], 'copy as curl'],
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
        {!hasKeys && (
          <p className="pb-3 text-sm text-warn">
            Single-key shortcuts are off. Turn them on in Settings.
          </p>
        )}
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
