import { useState } from 'react'
import type { AppItem } from '../../../server/contract/control-apps.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CopyableId } from '../../components/copy.tsx'
import { Confirm, Dialog, DialogBody, DialogFooter } from '../../components/dialog.tsx'
import { Facts } from '../../components/facts.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Ago } from '../../components/time.tsx'
import { plural, shorten } from '../../lib/format.ts'
import { AppFields, appFieldPaths, formOf, updateOf } from './app-fields.tsx'
import { useDeleteApp, useDeleteSecret, useRotateSecret, useUpdateApp } from './app-requests.ts'

export function AppDialog({ app, onClose }: { app: AppItem; onClose: () => void }) {
  const [form, setForm] = useState(() => formOf(app))
  const [confirming, setConfirming] = useState<'delete' | 'public' | 'rotate'>()
  const update = useUpdateApp(app.clientId)
  const remove = useDeleteApp()
  const rotate = useRotateSecret()
  const makePublic = useDeleteSecret()
  return (
    <Dialog open onOpenChange={onClose} title={app.name} wide>
      <form
        className="flex min-h-0 flex-1 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          update.mutate(updateOf(form), { onSuccess: onClose })
        }}
      >
        <DialogBody>
          <div className="grid gap-6 md:grid-cols-[1fr_1.4fr]">
            <div className="flex flex-col gap-4">
              <Facts
                items={[
                  [
                    'Client id',
                    <CopyableId key="c" text={app.clientId} what="Client id" head={18} tail={6} />,
                  ],
                  [
                    'Secret',
                    app.clientSecret ? (
                      <CopyableId
                        key="s"
                        text={app.clientSecret}
                        what="Secret"
                        shown={shorten(app.clientSecret, 10, 4)}
                      />
                    ) : (
                      <Badge key="p">public, PKCE instead</Badge>
                    ),
                  ],
                  ['Owner', app.owner],
                  ['Space', app.space],
                  ['Only members of', app.authorizedOrganizations?.join(', ')],
                  ['Active tokens', app.activeTokens],
                  ['Registered', <Ago key="r" time={app.createdAt} />],
                ]}
              />
              <div className="flex flex-wrap gap-1.5">
                <Button
                  size="small"
                  icon="key"
                  busy={rotate.isPending}
                  onClick={() =>
                    app.public ? rotate.mutate(app.clientId) : setConfirming('rotate')
                  }
                >
                  {app.public ? 'Give it a secret' : 'New secret'}
                </Button>
                {!app.public && (
                  <Button size="small" icon="cross" onClick={() => setConfirming('public')}>
                    Make it public
                  </Button>
                )}
                <Button
                  size="small"
                  look="danger"
                  icon="trash"
                  onClick={() => setConfirming('delete')}
                >
                  Delete
                </Button>
              </div>
            </div>
            <div className="flex flex-col gap-3.5">
              <AppFields
                form={form}
                error={update.error}
                onChange={(part) => setForm((current) => ({ ...current, ...part }))}
              />
              <FormError error={update.error} beside={appFieldPaths} />
            </div>
          </div>
        </DialogBody>
        <DialogFooter>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={update.isPending}>
            Save
          </Button>
        </DialogFooter>
      </form>
      <Confirm
        open={confirming === 'delete'}
        onOpenChange={() => setConfirming(undefined)}
        title={`Delete ${app.name}?`}
        action="Delete it"
        busy={remove.isPending}
        onConfirm={() => remove.mutate(app.clientId, { onSuccess: onClose })}
      >
        {app.activeTokens === 0
          ? 'Its sign-ins are refused from now on, and users who allowed it are asked again if it comes back.'
          : `${plural(app.activeTokens, 'token')} of it stop${app.activeTokens === 1 ? 's' : ''} working at once, and its sign-ins are refused from now on.`}
      </Confirm>
      <Confirm
        open={confirming === 'rotate'}
        onOpenChange={() => setConfirming(undefined)}
        title={`Give ${app.name} a new secret?`}
        action="Replace the secret"
        busy={rotate.isPending}
        onConfirm={() => rotate.mutate(app.clientId, { onSettled: () => setConfirming(undefined) })}
      >
        Whoever uses the present one is refused from now on, until the new one is copied there.
      </Confirm>
      <Confirm
        open={confirming === 'public'}
        onOpenChange={() => setConfirming(undefined)}
        title={`Make ${app.name} public?`}
        action="Remove the secret"
        busy={makePublic.isPending}
        onConfirm={() =>
          makePublic.mutate(app.clientId, { onSuccess: () => setConfirming(undefined) })
        }
      >
        Whoever uses the secret is refused from now on; sign-ins need PKCE.
      </Confirm>
    </Dialog>
  )
}
