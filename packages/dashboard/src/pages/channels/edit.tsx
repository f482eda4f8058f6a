import {
  type Channel,
  type ChannelField,
  ChannelWrite,
  type CreatedChannel,
  channelFieldNames,
  channelFields,
  channelTypes,
} from '@watchpost/contract'
import { useState } from 'react'
import { api } from '../../core/api.ts'
import { invalidate, useQuery } from '../../core/cache.ts'
import { navigate } from '../../core/router.tsx'
import { SelectField } from '../../form/field.tsx'
import { Form } from '../../form/form.tsx'
import { MonitorPicker } from '../../form/monitor-picker.tsx'
import { asSchema } from '../../form/schema.ts'
import { SchemaFields } from '../../form/schema-form.tsx'
import { useForm } from '../../form/use-form.ts'
import { Card, Page } from '../../ui/page.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { Loaded } from '../../ui/state.tsx'

const back = { to: '/channels', label: 'Channels' }

export function NewChannel() {
  return (
    <Page title="New channel" back={back}>
      <ChannelForm />
    </Page>
  )
}

export function EditChannel({ id }: { id: string }) {
  const known = useQuery(`channel/${id}/`, async () => (await api.getChannel({ params: { id } })).data)
  return (
    <Page title="Edit channel" back={{ to: `/channels/${id}`, label: known.data?.name ?? 'Channel' }}>
      <Loaded of={known}>{channel => <ChannelForm channel={channel} />}</Loaded>
    </Page>
  )
}

const hints: Partial<Record<ChannelField, Record<string, string>>> = {
  url: {
    webhook: 'Where events are posted, signed as Standard Webhooks describe.',
    slack: 'The address of an incoming webhook of your Slack.',
    discord: 'The address of a webhook of your Discord channel.',
  },
}

function ChannelForm({ channel }: { channel?: Channel }) {
  const [made, setMade] = useState<CreatedChannel>()
  const first: ChannelWrite =
    channel === undefined
      ? { name: '', type: 'webhook' }
      : (({ name, type, url, to, bot_token, chat_id, events, monitor_ids, enabled }) => {
          const own = Object.fromEntries(
            Object.entries({ url, to, bot_token, chat_id }).filter(([field]) => field in channelFields[type]),
          )
          return { name, type, ...own, events, monitor_ids, enabled }
        })(channel)
  const form = useForm<ChannelWrite>(first, async values => {
    const fields = channelFieldNames.filter(field => !(field in channelFields[values.type]))
    const body = Object.fromEntries(
      Object.entries(values).filter(([name, value]) => value !== undefined && !fields.includes(name as ChannelField)),
    ) as ChannelWrite
    const { data }: { data: Channel & Partial<CreatedChannel> } =
      channel === undefined
        ? await api.createChannel({ body })
        : await api.updateChannel({ params: { id: channel.id }, body })
    invalidate('channels/', `channel/${data.id}/`)
    if (data.secret != null) setMade({ ...data, secret: data.secret })
    else navigate(`/channels/${data.id}`)
  })
  const { values, errors, set } = form
  const needed = channelFieldNames.filter(field => field in channelFields[values.type])
  const change = (name: string, value: unknown) => set(name as keyof ChannelWrite, value as never)
  const shared = { values: values as Record<string, unknown>, errors, onChange: change }
  const schema = asSchema(ChannelWrite)
  return (
    <>
      <Form
        form={form}
        fresh={channel === undefined}
        action={channel === undefined ? 'Create' : 'Save'}
        onCancel={() => history.back()}
      >
        <Card>
          <div className="stack">
            <div className="fields">
              <SchemaFields {...shared} schema={schema} names={['name']} />
              {channel === undefined && (
                <SelectField
                  label="Type"
                  value={values.type}
                  options={channelTypes}
                  onChange={type => set('type', type)}
                />
              )}
            </div>
            <SchemaFields
              key={values.type}
              {...shared}
              schema={{ ...schema, required: needed }}
              names={needed}
              hints={Object.fromEntries(
                needed.flatMap(field => [[field, hints[field]?.[values.type] ?? '']]).filter(([, hint]) => hint !== ''),
              )}
            />
            <SchemaFields {...shared} schema={schema} names={['events']} />
            <MonitorPicker
              label="Only of these monitors"
              hint="None chosen is all of them."
              value={values.monitor_ids ?? []}
              error={errors.monitor_ids}
              onChange={ids => set('monitor_ids', ids)}
            />
            {channel !== undefined && <SchemaFields {...shared} schema={schema} names={['enabled']} />}
          </div>
        </Card>
      </Form>
      {made !== undefined && (
        <ShownOnce title="The signing secret" onClose={() => navigate(`/channels/${made.id}`)} text={made.secret ?? ''}>
          Verify with it that what you get is from here. It is shown this one time; a new one can be made at any time.
        </ShownOnce>
      )}
    </>
  )
}
