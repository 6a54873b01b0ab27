-- Arguments: method, key, file of paths (one per line), body.
-- Format the requests in advance: under load, formatting costs more than sending.
local requests = {}
local turn = 0

function init(arguments)
  local method, key, file, body = arguments[1], arguments[2], arguments[3], arguments[4]
  local headers = { Authorization = "Bearer " .. key }
  if body then headers["Content-Type"] = "application/json" end
  for path in io.lines(file) do
    requests[#requests + 1] = wrk.format(method, path, headers, body)
  end
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"microseconds":%d,"failed":%d,"errors":%d,"p50":%g,"p99":%g}\n',
    summary.requests, summary.duration, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000
  ))
end
