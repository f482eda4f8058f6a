import Type from 'typebox'
import { listQuery } from '../list-query.ts'
import { route } from '../route.ts'
import { Probe, ProbeWrite, ProvisionedProbe } from '../schema/probe.ts'

export const probeRoutes = {
  listProbes: route({
    method: 'GET',
    path: '/v1/probes',
    surface: 'user',
    role: 'viewer',
    summary: 'List probes',
    query: listQuery(Probe),
    envelope: 'list',
    reply: Probe,
  }),
  getProbe: route({
    method: 'GET',
    path: '/v1/probes/{id}',
    surface: 'user',
    role: 'viewer',
    summary: 'Read a probe',
    envelope: 'item',
    reply: Probe,
  }),
  createProbe: route({
    method: 'POST',
    path: '/v1/probes',
    surface: 'user',
    role: 'admin',
    summary: 'Provision a probe',
    description:
      'Its token is in this answer and never shown again. With it a `server` monitor is made, online while the probe reports.',
    body: ProbeWrite,
    envelope: 'created',
    reply: ProvisionedProbe,
    message: 'Probe provisioned',
  }),
  deleteProbe: route({
    method: 'DELETE',
    path: '/v1/probes/{id}',
    surface: 'user',
    role: 'admin',
    summary: 'Remove a probe',
    description:
      'Its token is refused from this moment on, and its share of checks goes to other probes. Its `server` monitor goes with it.',
    envelope: 'deleted',
    reply: Type.Null(),
    message: 'Probe removed',
  }),
}
