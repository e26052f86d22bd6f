import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useLocation } from 'wouter'
import type {
  EventDescription,
  TriggerRequest,
  TriggerResult,
} from '../../../server/contract/control-events.ts'
import { causeEvent, useEventCatalog, useTrigger } from '../../api/events.ts'
import { useOverview } from '../../api/overview.ts'
import { useRepos } from '../../api/repos.ts'
import { useWebhookName, useWebhooks } from '../../api/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../shared/form-error.tsx'
import { PaletteList } from '../../ui/palette.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { plural } from '../../lib/format.ts'
import { useHotkeys } from '../../lib/hotkeys.ts'
import { preferredRepo } from '../../lib/preferred-repo.ts'
import { repoAddress } from '../../lib/repo-address.ts'
import { notifyTrigger } from '../../shared/notify-trigger.ts'
import { describeEvents } from '../../shared/trigger-outcome.ts'
import { cliCommand } from './model/cli-command.ts'
import { fromRequest, toRequest, type Draft } from './model/draft.ts'
import { eventGroups } from './model/event-groups.ts'
import { readLastTriggers, rememberTrigger } from './model/last-triggers.ts'
import { TriggerForm, triggerFieldPaths } from './detail/trigger-form.tsx'
import { TriggerPreview } from './detail/trigger-preview.tsx'
import { words } from './words.ts'

interface TriggerPanelProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function TriggerPanel({ open, onOpenChange }: TriggerPanelProps) {
  const trigger = useTrigger()
  const catalog = useEventCatalog()
  const repos = useRepos()
  const webhooks = useWebhooks()
  const webhookName = useWebhookName()
  useHotkeys({
    '.': () => {
      const [last] = readLastTriggers()
      if (!last) return onOpenChange(true)
      trigger.mutate(last, {
        onSuccess: (result) => notifyTrigger(`${last.event} again`, result, webhookName),
      })
    },
  })
  return (
    <Dialog
      wide
      // Waits until the form is complete, because Enter submits it.
      open={open && catalog.isFetched && repos.isFetched && webhooks.isFetched}
      onOpenChange={onOpenChange}
      title="Trigger an event"
      lead="Trigger an event and preview who receives it."
    >
      {open && (
        <QueryView query={catalog} what="the events">
          {({ items }) => <Panel catalog={items} close={() => onOpenChange(false)} />}
        </QueryView>
      )}
    </Dialog>
  )
}

function Panel({ catalog, close }: { catalog: readonly EventDescription[]; close: () => void }) {
  const [, navigate] = useLocation()
  const [last] = useState(readLastTriggers)
  const repos = useRepos().data?.items
  const overview = useOverview().data
  const webhooks = useWebhooks().data?.items
  const webhookName = useWebhookName()
  const trigger = useTrigger({ toldByForm: true })
  const formId = useId()
  const [submitButton, setSubmitButton] = useState<HTMLButtonElement | null>(null)
  const [draft, setDraft] = useState<Draft>(() =>
    fromRequest(last[0] ?? { event: 'repo.content', kind: 'push', repo: '' }),
  )
  const preferred = preferredRepo(repos ?? [], webhooks ?? [])
  const repo = draft.repo || (preferred ? repoAddress(preferred) : '')
  const description = catalog.find(
    ({ event, scope, action }) => event === draft.event || `${scope}.${action}` === draft.event,
  )
  const request = toRequest({ ...draft, repo }, description)
  const preview = usePreview(request)
  const matches = preview.data && describeMatches(preview.data)
  const error = trigger.error ?? preview.error
  const kind = description?.kinds.find((item) => item.kind === draft.kind) ?? description?.kinds[0]

  const groups = eventGroups(catalog, last, (choice) => {
    setDraft((current) =>
      'request' in choice
        ? fromRequest(choice.request)
        : { ...current, event: choice.event, kind: choice.kind, changes: [] },
    )
    trigger.reset()
    submitButton?.focus()
  })

  function submit(): void {
    if (repo === '' || trigger.isPending) return
    trigger.mutate(request, {
      onSuccess: (result) => {
        rememberTrigger(request)
        notifyTrigger(describeEvents(result), result, webhookName)
        close()
        navigate('/deliveries')
      },
    })
  }

  return (
    <>
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] border-t border-line short:flex-none md:grid-cols-[17rem_minmax(0,1fr)]">
        <div className="flex min-h-0 flex-col border-line max-md:max-h-56 max-md:border-b short:max-h-56 md:border-r">
          <PaletteList
            placeholder="push, pr open, comment hide…"
            groups={groups}
            onEnter={submit}
          />
        </div>
        <form
          id={formId}
          data-scroller
          className="scroll-quiet flex min-h-0 flex-col gap-4 overflow-y-auto p-4"
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <div>
            <h3 className="text-base font-semibold">
              {kind?.title ?? description?.title ?? draft.event}
            </h3>
            <p className="text-xs text-muted">
              {[`${description?.scope ?? draft.event} · ${description?.action ?? ''}`]
                .concat(kind?.sideEvents.map((event) => `and ${event}`) ?? [])
                .join(', ')}
            </p>
          </div>
          <TriggerForm
            draft={{ ...draft, repo }}
            onChange={(changed) => {
              setDraft(changed)
              trigger.reset()
            }}
            repos={repos ?? []}
            description={description}
            error={error}
          />
          {error ? (
            <FormError error={error} beside={triggerFieldPaths} />
          ) : (
            <TriggerPreview result={preview.data} webhookName={webhookName} />
          )}
        </form>
      </div>
      <footer className="flex flex-wrap items-center gap-2 rounded-b-xl border-t border-line bg-canvas px-5 py-3">
        {overview && (
          <CopyButton
            size="medium"
            look="quiet"
            text={cliCommand(request, overview.commandLine)}
            what="CLI command"
          />
        )}
        <span className="ml-auto flex items-center gap-2">
          <output className="text-xs text-muted">{matches}</output>
          <Button
            ref={setSubmitButton}
            type="submit"
            form={formId}
            look="primary"
            icon="trigger"
            busy={trigger.isPending}
            disabled={repo === ''}
          >
            {draft.mode === 'do' ? words.apply : words.payloadOnly}
          </Button>
        </span>
      </footer>
    </>
  )
}

/** A webhook that receives one of several events counts once. */
function describeMatches({ payloads = [], skipped }: TriggerResult): string {
  const matching = new Set(payloads.map(({ webhookId }) => webhookId))
  const passedOver = new Set(
    skipped.map(({ webhookId }) => webhookId).filter((id) => !matching.has(id)),
  )
  const rest = passedOver.size > 0 ? `, ${passedOver.size} skipped` : ''
  return `${plural(matching.size, 'webhook')} will receive it` + rest
}

/** Preview of one event, however often it repeats. */
function usePreview({ repeat: _repeat, ...request }: TriggerRequest) {
  return useQuery({
    queryKey: ['events', 'preview', request],
    queryFn: ({ signal }) => causeEvent({ ...request, preview: true }, signal),
    enabled: request.repo !== '',
    retry: false,
    gcTime: 0,
    placeholderData: (previous) => previous,
  })
}
