const DEPLOYMENT = 'deploy/kubernetes/base/deployment.yaml';
const COMPOSE = 'deploy/compose.yaml';
const HAPROXY = 'deploy/haproxy.cfg';
const DEPLOY = 'project/deploy';

/** Container image, compose file, Kubernetes manifests and HAProxy. */
export default [
  {
    mistake: 'the image runs as root',
    file: 'deploy/Dockerfile',
    text: 'USER 1000:1000\n',
    replacement: '',
    tests: DEPLOY,
    promise: 'runs as an unprivileged user, with production packages only',
  },
  {
    mistake: 'the image checks readiness, so that an outage of the database restarts it',
    file: 'deploy/Dockerfile',
    text: '}/live`)',
    replacement: '}/ready`)',
    tests: DEPLOY,
    promise: 'has a health check that fails only when the service does not respond',
  },
  {
    mistake: 'a replica is killed before its shutdown may end',
    file: COMPOSE,
    text: 'stop_grace_period: 15s',
    replacement: 'stop_grace_period: 12s',
    tests: DEPLOY,
    promise: 'gives replicas longer to stop than their shutdown may take',
  },
  {
    mistake: 'a replica stops before HAProxy notices',
    file: COMPOSE,
    text: `SHUTDOWN_GRACE_MS: '4000'`,
    replacement: `SHUTDOWN_GRACE_MS: '3000'`,
    tests: DEPLOY,
    promise: 'has a grace period in which HAProxy notices a stop',
  },
  {
    mistake: 'replicas may open more connections than PostgreSQL allows',
    file: 'deploy/kubernetes/base/autoscaler.yaml',
    text: 'maxReplicas: 7',
    replacement: 'maxReplicas: 9',
    tests: DEPLOY,
    promise: 'opens no more connections than PostgreSQL allows',
  },
  {
    mistake: 'a pod is killed before its shutdown may end',
    file: DEPLOYMENT,
    text: 'terminationGracePeriodSeconds: 30',
    replacement: 'terminationGracePeriodSeconds: 10',
    tests: DEPLOY,
    promise: 'keeps a replica until its replacement is ready, and lets it finish its requests',
  },
  {
    mistake: 'a roll-out takes a replica away first',
    file: DEPLOYMENT,
    text: 'maxUnavailable: 0',
    replacement: 'maxUnavailable: 1',
    tests: DEPLOY,
    promise: 'keeps a replica until its replacement is ready, and lets it finish its requests',
  },
  {
    mistake: 'the disruption budget selects no pod',
    file: 'deploy/kubernetes/base/disruption-budget.yaml',
    text: 'matchLabels: { app.kubernetes.io/name: pet-store }',
    replacement: 'matchLabels: { app: pet-store }',
    tests: DEPLOY,
    promise: 'uses consistent labels, references and images',
  },
  {
    mistake: 'a pod has less memory than the service is tested with',
    file: DEPLOYMENT,
    text: 'memory: 512Mi',
    replacement: 'memory: 256Mi',
    tests: DEPLOY,
    promise: 'the Deployment runs as an unprivileged user, within resource limits',
  },
  {
    mistake: 'a replica of the compose file has less memory than the service is tested with',
    file: COMPOSE,
    text: 'memory: 512M',
    replacement: 'memory: 256M',
    tests: DEPLOY,
    promise: 'allows replicas the memory that the service is tested with',
  },
  {
    mistake: 'HAProxy gives up on a slow request before the service does',
    file: HAPROXY,
    text: 'timeout http-request 30s',
    replacement: 'timeout http-request 10s',
    tests: 'project/haproxy',
    promise: 'gives a request as long to arrive as the service does',
  },
  {
    mistake: 'a replica that is not ready gets requests for three checks',
    file: HAPROXY,
    text: 'fall 1 rise 1',
    replacement: 'fall 3 rise 1',
    tests: 'project/haproxy',
    promise: 'sends requests only to replicas that are ready',
  },
];
