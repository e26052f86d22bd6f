import { useState } from 'react'
import { useLocation } from 'wouter'
import type { DemoItem } from '../../../server/contract/control-demos.ts'
import type { DemoKind } from '../../../server/contract/words/sandbox-words.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useParameterText } from '../../lib/parameters.ts'
import { DemoDialog } from './dialog.tsx'
import { kindWords, signInKinds } from './words.ts'

/**
 * Buttons that start demos; each opens its diagram.
 * @param fold shows a menu instead
 */
export function DemoButtons({ fold = false }: { fold?: boolean }) {
  const [kind, setKind] = useState<DemoKind>()
  const show = useShow()
  return (
    <>
      {fold ? (
        <Menu
          trigger={<Button icon="play">Run a demo</Button>}
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

/** Introduction for users without an app. */
export function FirstDemo() {
  return (
    <>
      <span className="block pb-2">
        Let the sandbox act as an app and watch the flow step by step.
      </span>
      <span className="flex flex-wrap gap-2">
        <DemoButtons />
      </span>
    </>
  )
}

/** Opens the flow of a demo, or the newest flow until the first request. */
function useShow(): (item: DemoItem) => void {
  const [, navigate] = useLocation()
  const search = useParameterText()
  return ({ flowId = '' }) =>
    navigate(`/sign-ins${flowId && `/${encodeURIComponent(flowId)}`}${search}`)
}
