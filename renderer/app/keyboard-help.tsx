import { Kbd } from '../ui/button.tsx'
import { Dialog, DialogBody } from '../ui/dialog.tsx'

const groups: readonly { title: string; keys: readonly (readonly [string[], string])[] }[] = [
  {
    title: 'Anywhere',
    keys: [
      [['Ctrl', 'K'], 'go to a page, or do something'],
      [['t'], 'trigger an event'],
      [['.'], 'repeat the last trigger'],
      [['?'], 'this list'],
    ],
  },
  {
    title: 'Sign-ins',
    keys: [
      [['j', '↓'], 'next step'],
      [['k', '↑'], 'previous step'],
      [['Home', 'End'], 'first, last step'],
      [['Enter'], 'its details'],
      [['[', ']'], 'newer, older sign-in'],
      [['n'], 'stay at the newest'],
      [['s'], 'next step of what is tried'],
      [['a'], 'show to an audience'],
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
      [['1', '…', '7'], 'pane of the open one'],
    ],
  },
  {
    title: 'Deliveries: list',
    keys: [
      [['Space'], 'pause, or go live'],
      [['/'], 'filter'],
      [['f'], 'next status'],
      [['s'], 'skipped ones, too'],
      [['v'], 'mark to compare'],
      [['D'], 'compare with the marked one'],
      [['b'], 'bookmark'],
      [['m'], 'choose, for several at once'],
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
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts" wide>
      <DialogBody textOnly>
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
