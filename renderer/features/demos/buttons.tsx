import { useState } from 'react'
import { useLocation } from 'wouter'
import type { DemoItem } from '../../../server/contract/control-demos.ts'
import type { DemoKind } from '../../../server/contract/words/sandbox-words.ts'
import { useStartDemo } from '../../api/demos.ts'
import { FormError } from '../../shared/form-error.tsx'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useParameterText } from '../../lib/parameters.ts'
import { DemoDialog } from './dialog.tsx'
import { kindWords, signInKinds } from './words.ts'

/**
 * Buttons that start demos; each opens its diagram.
 * @param fold label of a menu that is shown instead
 */
export function DemoButtons({ fold }: { fold?: string }) {
  const [kind, setKind] = useState<DemoKind>()
  const show = useShow()
  return (
    <>
      {fold !== undefined ? (
        <Menu
          trigger={<Button icon="down">{fold}</Button>}
          items={signInKinds.map((each) => ({
            label: kindWords[each].title,
            onSelect: () => setKind(each),
          }))}
        />
      ) : (
        signInKinds.map((each) => (
          <Button key={each} icon="play" onClick={() => setKind(each)}>
            {kindWords[each].title}
          </Button>
        ))
      )}
      {kind && <DemoDialog kind={kind} onClose={() => setKind(undefined)} onStarted={show} />}
    </>
  )
}

/** Plays a first sign-in with one click; its menu has the other kinds. */
export function FirstDemo() {
  const start = useStartDemo()
  const show = useShow()
  return (
    <span className="flex flex-wrap gap-1.5">
      <Button
        look="primary"
        icon="play"
        busy={start.isPending}
        // Also when the steps are gone by then, because this one was the last.
        onClick={() =>
          void start.mutateAsync({ kind: 'sign-in', pace: 'at-once' }).then(show, () => undefined)
        }
      >
        {kindWords['sign-in'].title}
      </Button>
      <DemoButtons fold="Other kinds" />
      <FormError error={start.error} />
    </span>
  )
}

/** Opens the flow of a demo, or the newest flow until the first request. */
function useShow(): (item: DemoItem) => void {
  const [, navigate] = useLocation()
  const search = useParameterText()
  return ({ flowId = '' }) =>
    navigate(`/sign-ins${flowId && `/${encodeURIComponent(flowId)}`}${search}`)
}
