import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { Button } from '../ui/button.tsx'
import { FormError } from './form-error.tsx'
import { receiveWebhook } from './receive-webhook.ts'

/** One click to a first delivery: a receiver, its webhook, a commit. Shows the delivery arriving. */
export function ReceiveButton({ size = 'medium' }: { size?: 'small' | 'medium' }) {
  const [, navigate] = useLocation()
  const client = useQueryClient()
  const receive = useMutation({
    mutationFn: receiveWebhook,
    onSuccess: async (deliveryId) => {
      await client.invalidateQueries()
      navigate(`/deliveries/${deliveryId}`)
    },
  })
  return (
    <>
      <Button
        look="primary"
        icon="play"
        size={size}
        busy={receive.isPending}
        onClick={() => receive.mutate()}
      >
        Receive a webhook
      </Button>
      {receive.error && (
        <div className="pt-2">
          <FormError error={receive.error} />
        </div>
      )}
    </>
  )
}
