import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("jobs", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Archive",
            fields=[
                ("sha256", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("size", models.PositiveIntegerField()),
                ("stored", models.BooleanField(default=True)),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Bot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "game",
                    models.CharField(
                        choices=[
                            ("sticheln", "sticheln"),
                            ("stop-it", "stop-it"),
                            ("color-stock", "color-stock"),
                        ],
                        max_length=20,
                    ),
                ),
                ("name", models.CharField(max_length=40, unique=True)),
                ("skeleton", models.CharField(editable=False, max_length=80, unique=True)),
                ("about", models.CharField(blank=True, max_length=300)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("active", "Active"),
                            ("paused", "Paused"),
                            ("retired", "Retired"),
                        ],
                        default="active",
                        max_length=8,
                    ),
                ),
                (
                    "paused_by",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Nobody"),
                            ("owner", "Owner"),
                            ("faults", "Faults"),
                            ("operator", "Operator"),
                        ],
                        max_length=8,
                    ),
                ),
                ("paused_for", models.CharField(blank=True, max_length=1000)),
                ("is_house", models.BooleanField(default=False, editable=False)),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bots",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-id",),
            },
        ),
        migrations.CreateModel(
            name="Version",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("file_name", models.CharField(max_length=200)),
                ("notes", models.CharField(blank=True, max_length=1000)),
                ("language", models.CharField(blank=True, max_length=100)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("checking", "Checking"),
                            ("ready", "Ready"),
                            ("rejected", "Rejected"),
                        ],
                        default="checking",
                        max_length=8,
                    ),
                ),
                ("verdict", models.TextField(blank=True)),
                ("steps", models.JSONField(default=list)),
                ("is_example", models.BooleanField(default=False, editable=False)),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "archive",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="versions",
                        to="bots.archive",
                    ),
                ),
                (
                    "bot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="bots.bot",
                    ),
                ),
            ],
            options={
                "ordering": ("-number",),
            },
        ),
        migrations.CreateModel(
            name="Check",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("playing", "Playing"),
                            ("finished", "Finished"),
                            ("void", "Void"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("attempt", models.PositiveIntegerField(default=1)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("claim", models.CharField(blank=True, max_length=64)),
                ("machine", models.CharField(blank=True, max_length=100)),
                ("lease_until", models.DateTimeField(null=True)),
                ("sent_at", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("void_reason", models.CharField(blank=True, max_length=300)),
                ("options", models.JSONField()),
                ("players", models.PositiveSmallIntegerField()),
                ("limits", models.JSONField()),
                ("seed", models.CharField(max_length=64)),
                (
                    "refused_from",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="jobs.worker",
                    ),
                ),
                (
                    "worker",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="jobs.worker",
                    ),
                ),
                (
                    "version",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="check_job",
                        to="bots.version",
                    ),
                ),
            ],
            options={
                "ordering": ("-id",),
                "abstract": False,
            },
        ),
        migrations.AddField(
            model_name="bot",
            name="active_version",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="bots.version",
            ),
        ),
        migrations.CreateModel(
            name="CheckLine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("attempt", models.PositiveIntegerField()),
                ("text", models.CharField(max_length=1000)),
                (
                    "check_job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="lines",
                        to="bots.check",
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
                "indexes": [
                    models.Index(
                        fields=["check_job", "attempt", "id"], name="bots_checkl_check_j_dd9f63_idx"
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="version",
            constraint=models.UniqueConstraint(
                fields=("bot", "number"), name="version_number_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="version",
            constraint=models.UniqueConstraint(
                fields=("bot", "archive"), name="version_archive_once"
            ),
        ),
        migrations.AddIndex(
            model_name="check",
            index=models.Index(
                condition=models.Q(("state__in", ("waiting", "playing"))),
                fields=["state", "sent_at"],
                name="check_under_way",
            ),
        ),
        migrations.AddConstraint(
            model_name="check",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("lease_until__isnull", False), ("state", "playing")),
                    models.Q(models.Q(("state", "playing"), _negated=True), ("lease_until", None)),
                    _connector="OR",
                ),
                name="check_leased_while_playing",
            ),
        ),
        migrations.AddConstraint(
            model_name="check",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("finished_at__isnull", False), ("state__in", ("finished", "void"))),
                    models.Q(
                        models.Q(("state__in", ("finished", "void")), _negated=True),
                        ("finished_at", None),
                    ),
                    _connector="OR",
                ),
                name="check_finished_has_a_time",
            ),
        ),
        migrations.AddIndex(
            model_name="bot",
            index=models.Index(fields=["owner", "-id"], name="bots_bot_owner_i_62f569_idx"),
        ),
        migrations.AddConstraint(
            model_name="bot",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "paused"), models.Q(("paused_by", ""), _negated=True)),
                    models.Q(models.Q(("state", "paused"), _negated=True), ("paused_by", "")),
                    _connector="OR",
                ),
                name="bot_paused_by_somebody",
            ),
        ),
    ]
