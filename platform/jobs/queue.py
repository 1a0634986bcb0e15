"""Tells the workers that there is something to claim; what they are told carries no secret."""

import logging
from functools import cache

from celery import Celery
from django.conf import settings
from kombu.exceptions import OperationalError

from workers import contract

log = logging.getLogger("kibitz.queue")

# A broker that does not answer holds up no page: the sweeper sends again.
QUICKLY = {"max_retries": 1, "interval_start": 0.1}


@cache
def queue() -> Celery:
    app = Celery("kibitz.site", broker=settings.BROKER, set_as_current=False, fixups=[])
    app.conf.update(
        task_serializer="json",
        task_ignore_result=True,
        broker_transport_options={
            "socket_connect_timeout": 2,
            "socket_timeout": 5,
            "socket_keepalive": True,
        },
    )
    return app


def send(name: contract.Job, where: str) -> bool:
    """Puts a job into one of the queues; False if the broker cannot be reached."""
    if not settings.BROKER:
        return False
    try:
        queue().send_task(
            contract.TASKS[name.kind],
            args=[name.id, name.attempt],
            queue=where,
            ignore_result=True,
            retry_policy=QUICKLY,
        )
    except (OperationalError, OSError) as error:
        log.warning("%s could not be sent, it will be sent again: %s", name, error)
        return False
    return True
